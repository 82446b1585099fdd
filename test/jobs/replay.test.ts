import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, it} from '@jest/globals';
import {positionsPerEvent} from '../../src/domain/webhooks/delivery.js';
import {suffixOf, suffixWithSequence, sequenceOfId, type IdSuffix} from '../../src/domain/core/ids.js';
import {lists} from '../../src/domain/core/lists.js';
import {replayAhead} from '../../src/domain/webhooks/replay.js';
import {createReplayPerformer} from '../../src/jobs/replay.js';
import type {Store} from '../../src/store/store.js';
import {createDeliveryLister} from '../../src/store/webhooks/delivery-pages.js';
import {workspaceKeys} from '../../src/store/core/keys.js';
import {type ReceivedRequest, type Receiver, startReceiver} from '../support/receiver.js';
import {
  type Json,
  type ServiceOptions,
  sendRequest,
  startService,
  type TestService,
  type TestWorkspace,
} from '../support/service.js';
import {until} from '../support/until.js';
import {
  addWebhook,
  createCleanUps,
  deliveriesOf,
  fanOutOnce,
  type JobWebhook,
  postStandups,
  removeWebhooks,
  newDeadline,
  createJobContext,
} from './stage.js';
import {asSuffix} from '../support/ids.js';

const cleanUps = createCleanUps();
let service: TestService;
let workspace: TestWorkspace;
let receiver: Receiver;

async function start(options: ServiceOptions = {}): Promise<TestService> {
  const started = await startService(options);
  let open = true;
  const close = async () => {
    if (open) await started.close();
    open = false;
  };
  cleanUps.add(close);
  return {...started, close};
}

/** A service shared by the tests that stop no process. */
let shared: TestService;

beforeAll(async () => {
  shared = await startService();
});

afterAll(() => shared.close());

beforeEach(async () => {
  receiver = await startReceiver();
  cleanUps.add(() => receiver.close());
  service = shared;
  const first = await service.addWorkspace();
  cleanUps.add(() => removeWebhooks(first));
  workspace = first;
});

/** Starts a separate service, which the test may close. */
async function startOwn(options?: ServiceOptions): Promise<void> {
  service = await start(options);
  workspace = await service.addWorkspace();
}

afterEach(() => cleanUps.run());

const post = (update: string) =>
  workspace.request('POST', '/v1/standups', {body: {team: 'platform', update}});

async function enable({id}: JobWebhook, enabled: boolean): Promise<void> {
  await workspace.request('PATCH', `/v1/webhooks/${id}`, {body: {enabled}});
}

/** Waits until fan-out has handled every event, because fan-out decides which webhooks get an event. */
async function fannedOut(): Promise<void> {
  const {events} = service.core.store;
  await until(
    async () => {
      const cursor = await events.findCursor(workspace.id, 'webhooks', newDeadline());
      return cursor === (await events.span(workspace.id, newDeadline()))?.newest;
    },
    {what: 'fan-out has passed every event'},
  );
}

async function begin({id}: JobWebhook, members: object = {}): Promise<Json> {
  const since = new Date(Date.now() - 600_000).toISOString();
  const {status, text, body} = await workspace.request('POST', `/v1/webhooks/${id}/replay`, {
    body: {since, ...members},
  });
  if (status !== 202) throw new Error(text);
  return body;
}

const look = async ({id}: JobWebhook, replay: Json): Promise<Json> =>
  (await workspace.request('GET', `/v1/webhooks/${id}/replays/${replay.id}`)).body;

function ended(hook: JobWebhook, replay: Json): Promise<Json> {
  return until(
    async () => {
      const shown = await look(hook, replay);
      return ['running', 'waiting'].includes(shown.state) ? undefined : shown;
    },
    {what: 'the end of the replay'},
  );
}

/** Returns the texts of the delivered standups, in order of arrival. */
const updatesOf = (deliveries: readonly ReceivedRequest[]): string[] =>
  deliveries.map(({body}) => JSON.parse(body.toString()).data.update);

/** Creates a webhook with deliveries of every outcome. The text of each standup names the outcome. */
async function addOutcomes(): Promise<JobWebhook> {
  await post('before it was made');
  const hook = await addWebhook(workspace, receiver, {events: ['standup.created']});
  receiver.respondWith(({body}) => {
    const text = body.toString();
    if (text.includes('waiting')) return {status: 503, headers: {'retry-after': '3600'}};
    return text.includes('refused') ? {status: 500, headers: {'webhook-delivery': 'abort'}} : 204;
  });
  for (const outcome of ['arrived', 'refused', 'waiting', 'refused too']) await post(outcome);
  const {body: other} = await post('changed later');
  await workspace.request('PATCH', `/v1/standups/${other.id}`, {body: {update: 'changed'}});
  await fannedOut();
  await until(
    async () =>
      (await deliveriesOf(workspace, hook)).every(
        ({attempts, state}) => attempts === 1 && state !== 'delivering',
      ),
    {what: 'first attempts'},
  );
  await enable(hook, false);
  for (const outcome of ['missed', 'missed too']) await post(outcome);
  await fannedOut();
  await enable(hook, true);
  return hook;
}

describe('a replay and a dry run', () => {
  const everything = [
    'arrived',
    'refused',
    'waiting',
    'refused too',
    'changed later',
    'missed',
    'missed too',
  ];

  it.each<[string, object, string[], boolean]>([
    ['failed', {only: 'failed'}, ['refused', 'refused too'], true],
    ['missed', {only: 'missed'}, ['missed', 'missed too'], true],
    ['all', {only: 'all'}, everything, false],
    ['all events of a type', {only: 'all', types: ['standup.created']}, everything, false],
    [
      'all events of a type that the webhook does not subscribe to',
      {only: 'all', types: ['standup.updated']},
      [],
      false,
    ],
  ])('select the same events for: %s', async (_, asked, expected, once) => {
    const hook = await addOutcomes();
    receiver.respondWith(204);
    const counted = await ended(hook, await begin(hook, {...asked, dry_run: true}));
    expect(counted).toMatchObject({state: 'completed', progress: {matched: expected.length}});
    const before = receiver.received.length;

    const sent = await ended(hook, await begin(hook, asked));
    const {total, scanned, matched, succeeded, failed} = sent.progress;
    expect({matched, succeeded, failed}).toEqual({matched: expected.length, succeeded: matched, failed: 0});
    expect(scanned).toBe(total);
    expect(updatesOf(receiver.received.slice(before)).toSorted()).toEqual(expected.toSorted());
    const made = (await deliveriesOf(workspace, hook)).filter(({replay_id: id}) => id === sent.id);
    expect(made.map(({state}) => state)).toEqual(expected.map(() => 'succeeded'));
    // A receiver recognizes an event by its id in every delivery, and gets the same bytes.
    for (const {id, body, headers} of receiver.received.slice(before)) {
      const first = receiver.received.find((earlier) => earlier.id === id);
      expect(first?.body.equals(body)).toBe(true);
      expect(headers['standup-sequence']).toBe(first?.headers['standup-sequence']);
    }

    const again = await ended(hook, await begin(hook, asked));
    expect(again.progress.matched).toBe(once ? 0 : expected.length);
  });
});

it('a replay that fails again and again is completed by later slices, without a gap or a duplicate', async () => {
  await startOwn();
  const hook = await addWebhook(workspace, receiver, {enabled: false});
  await postStandups(workspace, 130);
  await fannedOut();
  await enable(hook, true);
  await service.close();
  let steps = 0;
  const {redisUrl} = service;
  const failing = await start({
    redisUrl,
    failpoint: (name) => {
      // In each three steps, fails once before the first script and once after the second.
      if (name.endsWith('-replay') && [0, 3].includes(steps++ % 6)) throw new Error('the process dies here');
    },
  });
  workspace = {...workspace, request: requestsTo(failing)};
  const replay = await begin(hook, {only: 'missed'});
  const {state, progress} = await ended(hook, replay);
  expect({state, ...progress}).toMatchObject({state: 'completed', matched: 130, succeeded: 130, failed: 0});
  expect(steps).toBeGreaterThan(6);
  expect(receiver.received).toHaveLength(130);
  expect(new Set(receiver.received.map(({id}) => id)).size).toBe(130);
});

/** Lists all deliveries of a webhook with their positions in its list. */
function listAll({core}: TestService, {suffix}: JobWebhook) {
  return createDeliveryLister(core.store.connection)(workspace.id, suffix, {limit: 1_000}, newDeadline());
}

/** Sends the requests of the workspace to another process. */
function requestsTo({url}: TestService): TestWorkspace['request'] {
  const {token} = workspace;
  return (method, path, options = {}) => sendRequest(url, method, path, {token, ...options});
}

/** Returns a function that runs one slice of a replay at each call and wakes no other worker. */
function sliceOf(
  service: TestService,
  {id}: Json,
  replays: Store['replays'] = service.core.store.replays,
): () => Promise<unknown> {
  const store = {...service.core.store, replays};
  const replay = createReplayPerformer(createJobContext(service, {store}), () => undefined);
  return () =>
    replay({
      workspace: workspace.id,
      work: {kind: 'replay', replay: suffixOf(id)},
      until: newDeadline(),
      signal: new AbortController().signal,
    });
}

it('repeated and concurrent slices of a replay make one delivery of each event', async () => {
  const web = await start({env: {ROLES: 'web'}});
  workspace = await web.addWorkspace();
  const hook = await addWebhook(workspace, receiver);
  await postStandups(workspace, 150);
  await fanOutOnce(web, workspace);
  const {id, progress} = await begin(hook, {only: 'all'});
  const slice = sliceOf(web, {id});
  await Promise.all([slice(), slice(), slice()]);
  await slice();
  expect((await look(hook, {id})).progress).toMatchObject({
    total: progress.total,
    scanned: progress.total,
    matched: 150,
  });
  const keys = workspaceKeys(workspace.id);
  const {connection} = web.core.store;
  expect(await connection.call(newDeadline(), ['ZCARD', keys.replays(hook.suffix)])).toBe(150);
  const listed = await listAll(web, hook);
  expect(listed.positions.size).toBe(300);
  expect(new Set(listed.positions.values()).size).toBe(300);
});

describe('the replay of events with many earlier deliveries', () => {
  /** Creates one event for each number in `counts`, with that many exhausted deliveries. */
  async function addFailures(counts: readonly number[]) {
    const web = await start({env: {ROLES: 'web'}});
    workspace = await web.addWorkspace();
    const hook = await addWebhook(workspace, receiver);
    await postStandups(workspace, counts.length);
    await fanOutOnce(web, workspace);
    const keys = workspaceKeys(workspace.id);
    const list = keys.list(lists.deliveriesOf(hook.suffix));
    const {call} = web.core.store.connection;
    const made = [...(await listAll(web, hook)).positions.keys()].toReversed();
    for (const [i, first] of made.entries()) {
      const fail = (suffix: IdSuffix<'delivery'>) =>
        call(newDeadline(), ['HSET', keys.delivery(suffix), 'state', 'exhausted', 'attempts', '1']);
      await call(newDeadline(), ['HSET', keys.delivery(first), 'n', String(i + 1)]);
      await fail(first);
      const sequence = sequenceOfId(first);
      const further = Array.from({length: (counts[i] ?? 1) - 1}, (_, n) => ({
        suffix: suffixWithSequence(`${i}`.repeat(4) + String(n).padStart(4, '0'), sequence),
        position: String(sequence + (n + 1) / positionsPerEvent),
      }));
      if (further.length === 0) continue;
      await call(newDeadline(), [
        'ZADD',
        list,
        ...further.flatMap(({suffix, position}) => [position, suffix]),
      ]);
      await Promise.all(further.map(({suffix}) => fail(suffix)));
    }
    /** Marks the last delivery of an event as succeeded. */
    const succeed = async (i: number) => {
      const at = String(sequenceOfId(made[i] ?? ''));
      const [last = asSuffix<'delivery'>('')] = await call<string[]>(newDeadline(), [
        'ZRANGE',
        list,
        `(${Number(at) + 1}`,
        at,
        'BYSCORE',
        'REV',
        'LIMIT',
        '0',
        '1',
      ]);
      await call(newDeadline(), ['HSET', keys.delivery(asSuffix(last)), 'state', 'succeeded']);
    };
    return {web, hook, succeed};
  }

  it('considers all earlier deliveries of an event, in steps that read no more than needed', async () => {
    const {web, hook, succeed} = await addFailures([1, 300, 100, 900, 1, 700, 1]);
    await succeed(3);
    const {replays} = web.core.store;
    const reads: number[][] = [];
    const replay = await begin(hook, {only: 'failed', dry_run: true});
    await sliceOf(web, replay, {
      ...replays,
      async listEarlier(...asked) {
        const found = await replays.listEarlier(...asked);
        reads.push([...found.deliveries.values()].map(({length}) => length));
        return found;
      },
    })();
    expect(await look(hook, replay)).toMatchObject({state: 'completed', progress: {matched: 6}});
    expect(reads).toEqual([[1, 300, 100], [900], [1, 700], [1]]);
  });

  it('does not read the earlier deliveries if all events are replayed, and keeps the events’ numbers', async () => {
    const {web, hook} = await addFailures([3, 1, 2]);
    const replay = await begin(hook, {only: 'all'});
    await sliceOf(web, replay, {
      ...web.core.store.replays,
      listEarlier: () => Promise.reject(new Error('it reads')),
    })();
    expect((await look(hook, replay)).progress).toMatchObject({matched: 3});
    const keys = workspaceKeys(workspace.id);
    const {call} = web.core.store.connection;
    const made = (await call<string[]>(newDeadline(), ['HVALS', keys.tries(hook.suffix)])).filter((one) =>
      one.endsWith(`:${suffixOf(replay.id)}`),
    );
    expect(made.map((one) => one.split(':')[2]).toSorted()).toEqual(['1', '2', '3']);
  });
});

it('an event that fan-out has not handled yet does not count as missed in a replay', async () => {
  const web = await start({env: {ROLES: 'web'}});
  workspace = await web.addWorkspace();
  const hook = await addWebhook(workspace, receiver);
  await postStandups(workspace, 3);
  const replay = await begin(hook, {only: 'missed'});
  await sliceOf(web, replay)();
  expect((await look(hook, replay)).progress).toMatchObject({scanned: 0, matched: 0});
  await fanOutOnce(web, workspace);
  await sliceOf(web, replay)();
  expect(await look(hook, replay)).toMatchObject({state: 'completed', progress: {matched: 0}});
  expect(await deliveriesOf(workspace, hook)).toHaveLength(3);
});

it('a replay creates only some deliveries in advance, and continues in another process when the first is closed', async () => {
  await startOwn();
  const hook = await addWebhook(workspace, receiver, {enabled: false});
  const count = replayAhead + 100;
  await postStandups(workspace, count);
  await fannedOut();
  await enable(hook, true);
  let release = (): void => undefined;
  const held = new Promise<number>((resolve) => {
    release = () => resolve(204);
  });
  receiver.respondWith(() => held);
  const replay = await begin(hook, {only: 'missed'});
  await receiver.waitFor(4);
  const {progress} = await until(async () => {
    const shown = await look(hook, replay);
    return shown.progress.matched > replayAhead - 60 ? shown : undefined;
  });
  expect(progress.matched).toBeLessThanOrEqual(replayAhead);
  expect(progress).toMatchObject({succeeded: 0, total: expect.any(Number)});

  const second = await start({redisUrl: service.redisUrl});
  const closed = service.close();
  release();
  await closed;
  workspace = {...workspace, request: requestsTo(second)};
  expect(await ended(hook, replay)).toMatchObject({
    state: 'completed',
    progress: {matched: count, succeeded: count, failed: 0},
  });
  expect(new Set(receiver.received.map(({id}) => id)).size).toBe(count);
});

it('a cancelled replay sends nothing more, and the events that it has not sent still count as missed', async () => {
  const hook = await addWebhook(workspace, receiver, {enabled: false});
  await postStandups(workspace, 100);
  await fannedOut();
  await enable(hook, true);
  let release = (): void => undefined;
  const held = new Promise<number>((resolve) => {
    release = () => resolve(204);
  });
  receiver.respondWith(() => held);
  const replay = await begin(hook, {only: 'missed'});
  await receiver.waitFor(4);
  const path = `/v1/webhooks/${hook.id}/replays/${replay.id}`;
  expect((await workspace.request('DELETE', path)).status).toBe(204);
  await until(
    async () => {
      const {matched, failed} = (await look(hook, replay)).progress;
      return failed > 0 && failed + receiver.received.length === matched;
    },
    {what: 'what waits is taken back'},
  );
  const begun = receiver.received.length;
  release();
  const {matched, succeeded, failed} = (
    await until(
      async () => {
        const shown = await look(hook, replay);
        const {progress} = shown;
        return progress.succeeded + progress.failed === progress.matched ? shown : undefined;
      },
      {what: 'the end of what was on the wire'},
    )
  ).progress;
  expect({matched, succeeded}).toEqual({matched: begun + failed, succeeded: begun});
  expect(receiver.received).toHaveLength(begun);
  const states = (await deliveriesOf(workspace, hook)).map(({state}) => state);
  expect(new Set(states)).toEqual(new Set(['succeeded', 'aborted']));

  const rest = await ended(hook, await begin(hook, {only: 'missed'}));
  expect(rest.progress).toMatchObject({matched: 100 - begun, succeeded: 100 - begun, failed: 0});
  expect(new Set(receiver.received.map(({id}) => id)).size).toBe(100);
  expect(await look(hook, replay)).toMatchObject({
    state: 'cancelled',
    progress: {matched, succeeded, failed},
  });
});

it('a cancelled replay to a webhook ordered per team leaves no delivery waiting for one that was withdrawn', async () => {
  const hook = await addWebhook(workspace, receiver, {enabled: false, ordering: 'per_team'});
  await postStandups(workspace, 20);
  await fannedOut();
  await enable(hook, true);
  receiver.respondWith({status: 503, headers: {'retry-after': '3600'}});
  const replay = await begin(hook, {only: 'missed'});
  await receiver.waitFor(1);
  await until(async () => (await look(hook, replay)).progress.matched === 20);
  await until(async () => (await deliveriesOf(workspace, hook)).some(({state}) => state === 'retrying'));
  receiver.respondWith(204);
  await post('live');
  await fannedOut();
  const {status} = await workspace.request('DELETE', `/v1/webhooks/${hook.id}/replays/${replay.id}`);
  expect(status).toBe(204);
  await until(async () => (await look(hook, replay)).progress.failed === 20, {
    what: 'all is taken back',
  });
  await until(async () => (await deliveriesOf(workspace, hook))[0]?.state === 'succeeded');
  expect(updatesOf(receiver.received)).toEqual([expect.stringMatching(/^Update/), 'live']);
  expect((await look(hook, replay)).progress).toMatchObject({matched: 20, succeeded: 0, failed: 20});
});

it('events that happen during a replay are sent before the rest of the replay', async () => {
  const hook = await addWebhook(workspace, receiver, {enabled: false});
  await postStandups(workspace, 200);
  await fannedOut();
  await enable(hook, true);
  receiver.respondWith(
    () =>
      new Promise((resolve) => {
        setTimeout(() => resolve(204), 15);
      }),
  );
  const replay = await begin(hook, {only: 'missed'});
  await receiver.waitFor(30);
  const begun = receiver.received.length;
  for (let i = 0; i < 3; i++) await post('live');
  await receiver.waitFor((all) => updatesOf(all).filter((update) => update === 'live').length === 3);
  const last = updatesOf(receiver.received).lastIndexOf('live');
  // Requests in progress may come before the new events, and so may a small part of the replay.
  expect({begun, last, before: last - begun < 90}).toMatchObject({before: true});
  expect((await look(hook, replay)).state).toBe('running');
  expect((await ended(hook, replay)).progress).toMatchObject({succeeded: 200, failed: 0});
});

it('a replay waits while its webhook is disabled, and continues when the webhook is enabled', async () => {
  const hook = await addWebhook(workspace, receiver, {enabled: false});
  await postStandups(workspace, replayAhead + 60);
  await fannedOut();
  await enable(hook, true);
  const gates: (() => void)[] = [];
  receiver.respondWith(
    () =>
      new Promise<number>((resolve) => {
        gates.push(() => resolve(204));
      }),
  );
  const replay = await begin(hook, {only: 'missed'});
  await receiver.waitFor(4);
  await enable(hook, false);
  receiver.respondWith(204);
  for (const open of gates) open();
  const ready = workspaceKeys(workspace.id).ready();
  const {connection} = service.core.store;
  const named = () => connection.call(newDeadline(), ['ZSCORE', ready, `replay/${replay.id.slice(-16)}`]);
  // The replay is no longer in the list of due work, so that no worker checks it in vain.
  await until(async () => (await named()) === null, {what: 'the replay is out of the ready set'});
  const sent = receiver.received.length;
  const states = new Set((await deliveriesOf(workspace, hook)).map(({state}) => state));
  expect([...states].filter((state) => state !== 'succeeded')).toEqual(['held']);
  expect(await look(hook, replay)).toMatchObject({state: 'running', ended_at: null});
  await enable(hook, true);
  expect((await ended(hook, replay)).progress).toMatchObject({succeeded: replayAhead + 60, failed: 0});
  expect(sent).toBeLessThan(receiver.received.length);
});

it('a replay waits while its workspace is full, is shown as waiting, and continues once there is room', async () => {
  const env = {WORKSPACE_BYTES: '1000000', ROLES: 'web'};
  await startOwn({env});
  const hook = await addWebhook(workspace, receiver, {ordering: 'per_team'});
  const posts = 130;
  await postStandups(workspace, posts);
  await fanOutOnce(service, workspace);
  const replay = await begin(hook, {only: 'all'});
  const keys = workspaceKeys(workspace.id);
  const {connection, workspaceBytes} = service.core.store;
  const bytes = async () => Number(await connection.call(newDeadline(), ['HGET', keys.head(), 'bytes']));
  const before = await bytes();
  await connection.call(newDeadline(), ['HINCRBY', keys.head(), 'bytes', String(1_000_000 - before)]);
  await start({redisUrl: service.redisUrl, env: {...env, ROLES: 'worker'}});

  const waiting = () => look(hook, replay).then(({state}) => state === 'waiting');
  await until(waiting, {what: 'the replay waits'});
  await receiver.waitFor(posts);
  expect(await look(hook, replay)).toMatchObject({ended_at: null, progress: {matched: 0}});
  const {data} = (await workspace.request('GET', `/v1/webhooks/${hook.id}/replays`)).body;
  expect(data.map(({state}: Json) => state)).toEqual(['waiting']);

  // Lowers the stored size of the workspace, as a measurement does after data was deleted. The next check of
  // the replay is within 15 s.
  const work = `replay/${suffixOf(replay.id)}`;
  await connection.call(newDeadline(), ['HINCRBY', keys.head(), 'bytes', String(before - 1_000_000)]);
  const due = Number(await connection.call(newDeadline(), ['ZSCORE', keys.ready(), work]));
  expect(due - service.core.store.clock.now()).toBeLessThan(15_001);
  await connection.call(newDeadline(), ['ZADD', keys.ready(), '0', work]);
  expect(await ended(hook, replay)).toMatchObject({state: 'completed', progress: {succeeded: posts}});
  const counted = await bytes();
  await workspaceBytes.measure(newDeadline, new AbortController().signal);
  const grown = (await bytes()) - before;
  expect(counted - before).toBeGreaterThan(0.5 * grown);
  expect(counted - before).toBeLessThan(1.5 * grown);
});

it('a replay is removed with its webhook', async () => {
  const hook = await addWebhook(workspace, receiver, {enabled: false});
  await postStandups(workspace, 20);
  await fannedOut();
  await enable(hook, true);
  receiver.respondWith(503);
  const replay = await begin(hook, {only: 'missed'});
  await receiver.waitFor(1);
  await workspace.request('DELETE', `/v1/webhooks/${hook.id}`);
  const {connection} = service.core.store;
  const ready = workspaceKeys(workspace.id).ready();
  const work = `replay/${replay.id.slice(-16)}`;
  // Makes the next check of the replay due.
  await connection.call(newDeadline(), ['ZADD', ready, 'XX', '0', work]);
  await until(async () => (await connection.call(newDeadline(), ['ZSCORE', ready, work])) === null, {
    what: 'no worker looks at the replay any longer',
  });
  const path = `/v1/webhooks/${hook.id}/replays/${replay.id}`;
  expect((await workspace.request('GET', path)).status).toBe(404);
});

it('a replay sends an event whose resource was erased as the API shows that event now', async () => {
  const {body: member} = await workspace.request('POST', '/v1/members', {
    body: {name: 'Ada Lovelace', email: 'ada@example.com'},
  });
  const hook = await addWebhook(workspace, receiver, {events: ['member.*']});
  await workspace.request('PATCH', `/v1/members/${member.id}`, {body: {name: 'Ada King'}});
  await receiver.waitFor(1);
  await workspace.request('DELETE', `/v1/members/${member.id}?erase=true`);
  await receiver.waitFor(2);
  await until(
    async () => {
      const {body} = await workspace.request('GET', `/v1/events/${receiver.received[0]?.id}`);
      return body.data === null;
    },
    {what: 'the erasure'},
  );
  const before = receiver.received.length;
  const {progress} = await ended(hook, await begin(hook, {only: 'all', types: ['member.updated']}));
  expect(progress).toMatchObject({matched: 1, succeeded: 1});
  const [sent] = receiver.received.slice(before);
  const shown = await workspace.request('GET', `/v1/events/${sent?.id}`);
  expect(sent?.body.toString()).toBe(shown.text);
});
