import {afterAll, beforeAll, beforeEach, describe, expect, it} from '@jest/globals';
import {suffixOf} from '../../../src/domain/core/ids.js';
import {limits} from '../../../src/domain/core/limits.js';
import {lists} from '../../../src/domain/core/lists.js';
import {workspaceKeys} from '../../../src/store/core/keys.js';
import {
  addWebhook,
  deliveriesOf,
  deliveryIn,
  type JobWebhook,
  postStandups,
  newDeadline,
} from '../../jobs/stage.js';
import {type Receiver, startReceiver} from '../../support/receiver.js';
import {
  type Json,
  startService,
  type TestResponse,
  type TestService,
  type TestWorkspace,
} from '../../support/service.js';
import {until} from '../../support/until.js';
import {expectProblem} from '../http/expect-problem.js';
import {countReplay} from '../samples.js';

/** Its worker runs replays and dry runs. */
let service: TestService;
/** Without a worker, on its own store: a replay stays in its first state. */
let idle: TestService;
let receiver: Receiver;
let workspace: TestWorkspace;

beforeAll(async () => {
  service = await startService();
  idle = await startService({env: {ROLES: 'web'}});
  receiver = await startReceiver();
});

beforeEach(async () => {
  workspace = await service.addWorkspace();
});

afterAll(async () => {
  await service.close();
  await idle.close();
  await receiver.close();
});

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const ago = (ms: number) => new Date(Date.now() - ms).toISOString();

const replay = (own: TestWorkspace, {id}: JobWebhook, body: Json, key?: string): Promise<TestResponse> =>
  own.request('POST', `/v1/webhooks/${id}/replay`, {
    body,
    ...(key !== undefined && {headers: {'idempotency-key': key}}),
  });

describe('the answer to a new replay', () => {
  it('contains all that was requested, with `until` now and `only` failed by default', async () => {
    const own = await idle.addWorkspace();
    const hook = await addWebhook(own, receiver);
    await postStandups(own, 3);
    const since = ago(minuteMs);
    const before = Date.now();
    const {status, body, headers} = await replay(own, hook, {since});
    expect(status).toBe(202);
    expect(headers.get('etag')).toBeNull();
    expect(body).toEqual({
      id: expect.stringMatching(/^rpl_/),
      object: 'replay',
      webhook_id: hook.id,
      since,
      until: expect.any(String),
      types: null,
      only: 'failed',
      dry_run: false,
      state: 'running',
      progress: {scanned: 0, total: expect.any(Number), matched: 0, succeeded: 0, failed: 0},
      created_at: expect.any(String),
      ended_at: null,
    });
    expect(Math.abs(Date.parse(body.until) - before)).toBeLessThan(minuteMs);
    // Besides the standups: the team, the accounts, the tokens, the webhook.
    expect(body.progress.total).toBeGreaterThan(3);
    expect((await own.request('GET', `/v1/webhooks/${hook.id}/replays/${body.id}`)).body).toEqual(body);
    const types = ['standup.created', 'standup.created', 'standup.deleted'];
    const asked = {since, until: ago(-minuteMs), types, only: 'missed', dry_run: true};
    const other = await replay(own, await addWebhook(own, receiver), asked);
    expect(other.body).toMatchObject({only: 'missed', dry_run: true, types: types.slice(1)});
    // A replay covers no future events.
    expect(Date.parse(other.body.until)).toBeLessThan(Date.now() + 5_000);
  });

  it('covers only events of the given time, whatever UTC offset its instants have', async () => {
    const own = await idle.addWorkspace();
    const hook = await addWebhook(own, receiver);
    const at = Date.now() - minuteMs;
    const local = `${new Date(at + 7_200_000).toISOString().slice(0, -1)}+02:00`;
    const {body} = await replay(own, hook, {since: local, until: ago(minuteMs / 2)});
    expect(body.since).toBe(new Date(at).toISOString());
    expect(body.progress.total).toBe(0);
  });

  it('is repeated for the same idempotency key, without a second replay', async () => {
    const hook = await addWebhook(workspace, receiver);
    const body = {since: ago(minuteMs), dry_run: true};
    const first = await replay(workspace, hook, body, 'one');
    const path = `/v1/webhooks/${hook.id}/replays`;
    await until(async () => (await workspace.request('GET', path)).body.data[0]?.state === 'completed');
    const again = await replay(workspace, hook, body, 'one');
    expect(again.status).toBe(202);
    expect(again.text).toBe(first.text);
    expect((await workspace.request('GET', path)).body.data).toHaveLength(1);
  });
});

describe('a request for a replay', () => {
  let hook: JobWebhook;

  beforeEach(async () => {
    hook = await addWebhook(workspace, receiver);
  });

  it.each<[string, () => Json, string]>([
    ['without `since`', () => ({}), '#/since'],
    ['with a day instead of an instant', () => ({since: '2026-11-21'}), '#/since'],
    ['with an instant that does not exist', () => ({since: '2026-02-30T00:00:00Z'}), '#/since'],
    ['from the future on', () => ({since: ago(-minuteMs)}), '#/since'],
    ['from after its end on', () => ({since: ago(minuteMs), until: ago(2 * minuteMs)}), '#/since'],
    ['from more than 15 days ago on', () => ({since: ago(15 * dayMs + minuteMs)}), '#/since'],
    ['with an `until` that is no instant', () => ({since: ago(minuteMs), until: 'now'}), '#/until'],
    ['with an unknown type', () => ({since: ago(minuteMs), types: ['standup.sung']}), '#/types/0'],
    ['with a pattern instead of a type', () => ({since: ago(minuteMs), types: ['standup.*']}), '#/types/0'],
    ['for an empty list of types', () => ({since: ago(minuteMs), types: []}), '#/types'],
    ['for an unknown choice', () => ({since: ago(minuteMs), only: 'lost'}), '#/only'],
    ['with an unknown member', () => ({since: ago(minuteMs), dryRun: true}), '#/dryRun'],
  ])('is refused %s', async (_, body, pointer) => {
    expectProblem(await replay(workspace, hook, body()), 'validation_failed', {pointer});
  });

  it('is accepted for the events of 15 days, less one minute', async () => {
    const {status} = await replay(workspace, hook, {since: ago(15 * dayMs - minuteMs), dry_run: true});
    expect(status).toBe(202);
  });

  it('is refused while the webhook is disabled, unless it is a dry run', async () => {
    await workspace.request('PATCH', `/v1/webhooks/${hook.id}`, {body: {enabled: false}});
    expectProblem(await replay(workspace, hook, {since: ago(minuteMs)}), 'webhook_disabled');
    await postStandups(workspace, 2);
    await until(
      async () => {
        const {events} = service.core.store;
        const cursor = await events.findCursor(workspace.id, 'webhooks', newDeadline());
        return cursor === (await events.span(workspace.id, newDeadline()))?.newest;
      },
      {what: 'fan-out has passed the standups'},
    );
    const path = `/v1/webhooks/${hook.id}/replay`;
    const {body} = await workspace.request('POST', path, {
      body: {since: ago(minuteMs), only: 'missed', dry_run: true},
    });
    const ended = await until(
      async () => {
        const found = await workspace.request('GET', `${path}s/${body.id}`);
        return found.body.state === 'completed' ? found.body : undefined;
      },
      {what: 'the end of the dry run'},
    );
    expect(ended.progress).toMatchObject({matched: 2, succeeded: 0, failed: 0});
    expect(ended.progress.scanned).toBe(ended.progress.total);
    expect(Date.parse(ended.ended_at)).toBeGreaterThanOrEqual(Date.parse(ended.created_at));
    expect(await deliveriesOf(workspace, hook)).toEqual([]);
  });

  it('is refused while another replay of the webhook runs, until that one is cancelled or its record expires', async () => {
    const own = await idle.addWorkspace();
    const busy = await addWebhook(own, receiver);
    const begin = () => replay(own, busy, {since: ago(minuteMs), dry_run: true});
    const {body: first} = await begin();
    expect(expectProblem(await begin(), 'limit_reached').detail).toContain(first.id);
    expect((await replay(own, await addWebhook(own, receiver), {since: ago(minuteMs)})).status).toBe(202);

    const path = `/v1/webhooks/${busy.id}/replays`;
    expect((await own.request('DELETE', `${path}/${first.id}`)).status).toBe(204);
    const shown = (await own.request('GET', `${path}/${first.id}`)).body;
    expect(shown).toMatchObject({state: 'cancelled', ended_at: expect.any(String)});
    const {body: second} = await begin();
    // A second cancellation of the first replay does not affect the second replay.
    expect((await own.request('DELETE', `${path}/${first.id}`)).status).toBe(204);
    expect((await own.request('GET', `${path}/${first.id}`)).body).toEqual(shown);
    expect((await own.request('GET', `${path}/${second.id}`)).body.state).toBe('running');

    // The record of a replay whose webhook stayed disabled has expired.
    const {connection, replays} = idle.core.store;
    await connection.call(newDeadline(), ['DEL', workspaceKeys(own.id).replay(suffixOf(second.id))]);
    expectProblem(await own.request('GET', `${path}/${second.id}`), 'not_found');
    expect((await begin()).status).toBe(202);
    const list = workspaceKeys(own.id).list(lists.replaysOf(busy.suffix));
    const listed = () => connection.call(newDeadline(), ['ZCARD', list]);
    expect(await listed()).toBe(3);
    expect(await replays.trim(own.id, busy.suffix, newDeadline())).toBe(1);
    expect(await listed()).toBe(2);
    expect((await own.request('GET', path)).body.data).toHaveLength(2);
  });
});

describe('the replays of one webhook', () => {
  const begin = (own: TestWorkspace, hook: JobWebhook, dryRun: boolean) =>
    replay(own, hook, {since: ago(minuteMs), dry_run: dryRun});

  async function startHere() {
    const own = await idle.addWorkspace();
    const hook = await addWebhook(own, receiver);
    const path = `/v1/webhooks/${hook.id}/replays`;
    const cancel = ({id}: Json) => own.request('DELETE', `${path}/${id}`);
    return {own, hook, path, cancel, keys: workspaceKeys(own.id), call: idle.core.store.connection.call};
  }

  it('are at most a hundred within 24 hours, not counting dry runs', async () => {
    const {own, hook, cancel, keys, call} = await startHere();
    const begun = keys.list(lists.sendingReplaysOf(hook.suffix));
    const oldest = Date.now() - dayMs + 10 * minuteMs;
    const earlier = Array.from({length: limits.replaysPerDay - 1}, (_, i) => [
      String(oldest + i),
      `earlier-${i}`,
    ]);
    await call(newDeadline(), ['ZADD', begun, ...earlier.flat()]);
    const last = await begin(own, hook, false);
    expect(last.status).toBe(202);
    await cancel(last.body);
    const {detail} = expectProblem(await begin(own, hook, false), 'limit_reached');
    expect(detail).toContain(new Date(oldest + dayMs).toISOString());
    const counted = await begin(own, hook, true);
    expect(counted.status).toBe(202);
    await cancel(counted.body);

    await call(newDeadline(), ['ZADD', begun, String(Date.now() - dayMs - minuteMs), 'earlier-0']);
    expect((await begin(own, hook, false)).status).toBe(202);
    // Old starts are removed, and dry runs were never counted.
    expect(await call(newDeadline(), ['ZCARD', begun])).toBe(limits.replaysPerDay);
    await own.request('DELETE', `/v1/webhooks/${hook.id}`);
    expect(await call(newDeadline(), ['EXISTS', begun])).toBe(0);
  });

  it('are stored up to a thousand, dry runs included, and then the oldest is removed entirely', async () => {
    const {own, hook, path, cancel, keys, call} = await startHere();
    const {body: oldest} = await begin(own, hook, true);
    await cancel(oldest);
    const list = keys.list(lists.replaysOf(hook.suffix));
    const others = Array.from({length: limits.replaysPerWebhook - 2}, (_, i) => [
      String(Date.parse(oldest.created_at) + 1 + i),
      `other-${i}`,
    ]);
    await call(newDeadline(), ['ZADD', list, ...others.flat()]);
    const suffix = suffixOf(oldest.id);
    await call(newDeadline(), ['HSET', keys.replayed(hook.suffix), `${suffix}:succeeded`, '3']);

    const {body: next} = await begin(own, hook, true);
    await cancel(next);
    const shown = (await own.request('GET', `${path}/${oldest.id}`)).body;
    expect(shown.progress).toMatchObject({succeeded: 3});

    const {status} = await begin(own, hook, false);
    expect(status).toBe(202);
    expect(await call(newDeadline(), ['ZCARD', list])).toBe(limits.replaysPerWebhook);
    expectProblem(await own.request('GET', `${path}/${oldest.id}`), 'not_found');
    expect(await call(newDeadline(), ['EXISTS', keys.replay(suffix), keys.replayed(hook.suffix)])).toBe(0);
    expect((await own.request('GET', `${path}/${next.id}`)).body.state).toBe('cancelled');
  });
});

it('replays are listed newest first, page by page, without those of another webhook', async () => {
  const [hook, other] = [await addWebhook(workspace, receiver), await addWebhook(workspace, receiver)];
  const ids: string[] = [];
  for (let i = 0; i < 3; i++) ids.unshift((await countReplay(workspace, hook.id)).id);
  const foreign = await countReplay(workspace, other.id);
  const path = `/v1/webhooks/${hook.id}/replays`;
  const first = (await workspace.request('GET', `${path}?limit=2`)).body;
  expect(first).toMatchObject({has_more: true, data: [{id: ids[0]}, {id: ids[1]}]});
  const rest = (await workspace.request('GET', `${path}?limit=2&cursor=${first.next_cursor}`)).body;
  expect(rest).toMatchObject({has_more: false, data: [{id: ids[2]}]});
  expectProblem(await workspace.request('GET', `${path}/${foreign.id}`), 'not_found');
  expectProblem(await workspace.request('DELETE', `${path}/${foreign.id}`), 'not_found');
  await workspace.request('DELETE', `/v1/webhooks/${hook.id}`);
  expectProblem(await workspace.request('GET', path), 'not_found');
});

it('deliveries that several replays created for one event are listed one after the other, and no page leaves one out', async () => {
  const hook = await addWebhook(workspace, receiver);
  await postStandups(workspace, 2);
  await until(async () => (await deliveriesOf(workspace, hook)).every(({state}) => state === 'succeeded'));
  for (let i = 0; i < 3; i++) {
    await replay(workspace, hook, {since: ago(minuteMs), only: 'all'});
    const path = `/v1/webhooks/${hook.id}/replays`;
    await until(async () => (await workspace.request('GET', path)).body.data[0].state === 'completed');
  }
  const all = await deliveriesOf(workspace, hook);
  expect(all).toHaveLength(8);
  expect(new Set(all.map(({id}) => id)).size).toBe(8);
  expect(new Set(all.slice(0, 4).map(({event_id: event}) => event)).size).toBe(1);
  const paged: Json[] = [];
  for (let cursor = ''; ; ) {
    const path = `/v1/webhooks/${hook.id}/deliveries?limit=1${cursor}`;
    const {data, has_more: more, next_cursor: next} = (await workspace.request('GET', path)).body;
    paged.push(...data);
    if (!more) break;
    cursor = `&cursor=${next}`;
  }
  expect(paged).toEqual(all);
});

it('a delivery of a replay names it, and can be read and sent again', async () => {
  const hook = await addWebhook(workspace, receiver);
  await postStandups(workspace);
  const original = await deliveryIn(workspace, hook, 'succeeded', 1);
  expect(original.replay_id).toBeNull();
  const {body: begun} = await replay(workspace, hook, {since: ago(minuteMs), only: 'all'});
  const made = await until(
    async () => (await deliveriesOf(workspace, hook)).find(({replay_id: id}) => id === begun.id),
    {what: 'the delivery of the replay'},
  );
  expect(made).toMatchObject({event_id: original.event_id, event_type: original.event_type});
  expect(Date.parse(made.created_at)).toBeGreaterThanOrEqual(Date.parse(begun.created_at));
  const path = `/v1/deliveries/${made.id}`;
  const ended = await until(
    async () => {
      const {body} = await workspace.request('GET', path);
      return body.state === 'succeeded' ? body : undefined;
    },
    {what: 'its success'},
  );
  expect(ended).toMatchObject({id: made.id, attempts: 1, replay_id: begun.id});
  expect((await workspace.request('POST', `${path}/redeliver`)).body).toMatchObject({state: 'pending'});
  await until(async () => {
    const {body} = await workspace.request('GET', path);
    return body.attempts === 2 && body.state === 'succeeded';
  });
  const shown = (await workspace.request('GET', `/v1/webhooks/${hook.id}/replays/${begun.id}`)).body;
  // The replay was counted when it first ended.
  expect(shown).toMatchObject({state: 'completed', progress: {matched: 1, succeeded: 1, failed: 0}});
});
