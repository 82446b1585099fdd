import {afterAll, beforeAll, beforeEach, describe, expect, it} from '@jest/globals';
import {suffixOf, suffixWithSequence} from '../../../src/domain/core/ids.js';
import {type Receiver, startReceiver} from '../../support/receiver.js';
import {type Json, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {until} from '../../support/until.js';
import {expectProblem} from '../http/expect-problem.js';
import {addPerson} from '../people.js';
import {make} from '../samples.js';

let service: TestService;
let workspace: TestWorkspace;
let receiver: Receiver;
let webhook: Json;
let all: Json[];

const list = async (query = ''): Promise<Json> => {
  const answer = await workspace.request('GET', `/v1/webhooks/${webhook.id}/deliveries${query}`);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body;
};

/** Every page from the first one on. */
async function everyPage(query: string): Promise<{rows: Json[]; pages: number}> {
  const rows: Json[] = [];
  for (let pages = 1, cursor = ''; ; pages++) {
    const {data, has_more: more, next_cursor: next} = await list(`?${query}${cursor}`);
    rows.push(...data);
    if (!more) return {rows, pages};
    cursor = `&cursor=${next}`;
  }
}

/** Sends the event of the team again. */
async function replayOne() {
  const event = all.find(({event_type: type}) => type === 'team.created')?.event_id;
  const path = `/v1/webhooks/${webhook.id}/replay`;
  const body = {since: all.at(-1)?.created_at, only: 'all', types: ['team.created']};
  const {id: replay} = (await workspace.request('POST', path, {body})).body;
  const made = await until(async () => {
    const {data} = await list('?limit=100');
    return data.find(({replay_id: by, state}: Json) => by === replay && state === 'succeeded');
  });
  return {replay, event, made};
}

beforeAll(async () => {
  service = await startService();
  receiver = await startReceiver();
  // Ten deliveries: the third and the sixth fail, and one is of another type.
  receiver.respondWith(({body}) =>
    /Update [36]"/.test(body.toString()) ? {status: 500, headers: {'webhook-delivery': 'abort'}} : 204,
  );
});

beforeEach(async () => {
  workspace = await service.addWorkspace();
  webhook = await make(workspace, '/v1/webhooks', {url: receiver.url, events: ['standup.*', 'team.*']});
  for (let i = 1; i <= 9; i++)
    await make(workspace, '/v1/standups', {team: 'platform', update: `Update ${i}`});
  await make(workspace, '/v1/teams', {slug: 'other'});
  all = await until(async () => {
    const {data} = await list('?limit=100');
    const isDone = data.every(({state}: Json) => state === 'succeeded' || state === 'aborted');
    return isDone && data.length === 10 ? data : undefined;
  });
});

afterAll(async () => {
  await service.close();
  await receiver.close();
});

describe('the deliveries of a webhook', () => {
  const filters = [
    ['state=aborted', ({state}: Json) => state === 'aborted', 2],
    ['state=succeeded', ({state}: Json) => state === 'succeeded', 8],
    ['event_type=team.created', ({event_type: type}: Json) => type === 'team.created', 1],
    [
      'event_type=standup.created&state=succeeded',
      ({state, event_type: type}: Json) => state === 'succeeded' && type === 'standup.created',
      7,
    ],
    ['state=held', () => false, 0],
  ] as const;

  it('match the filter exactly, whatever the size of a page', async () => {
    for (const [query, keeps, count] of filters) {
      const expected = all.filter(keeps);
      expect({query, count: expected.length}).toEqual({query, count});
      for (const limit of [2, 3, 100]) {
        expect((await everyPage(`${query}&limit=${limit}`)).rows).toEqual(expected);
      }
    }
  });

  it('are listed in full pages without a filter', async () => {
    expect(await everyPage('limit=4')).toEqual({rows: all, pages: 3});
    expect(await everyPage('limit=5')).toEqual({rows: all, pages: 2});
    expect(await everyPage('limit=10')).toEqual({rows: all, pages: 1});
  });

  it('cannot be filtered by an unknown state or type', async () => {
    for (const parameter of ['state', 'event_type']) {
      const path = `/v1/webhooks/${webhook.id}/deliveries?${parameter}=failed`;
      expectProblem(await workspace.request('GET', path), 'invalid_parameter', {parameter});
    }
  });

  it('can be filtered by time, event or replay, whatever the size of a page', async () => {
    const [until, since] = [all[2].created_at, all[4].created_at];
    const expected = all.filter(({created_at: at}) => at >= since && at <= until);
    expect(expected.length).toBeGreaterThanOrEqual(3);
    for (const limit of [1, 3, 100]) {
      expect((await everyPage(`since=${since}&until=${until}&limit=${limit}`)).rows).toEqual(expected);
    }
    expect((await list(`?since=${until}&until=${since}`)).data).toEqual([]);
    const [one] = expected;
    expect((await list(`?event=${one.event_id}`)).data).toEqual([one]);
    expect((await list(`?event=${one.event_id}&until=2020-01-01T00:00:00Z`)).data).toEqual([]);
    expect((await list(`?event=evt_01h455vb4pex5vsknk084sn02q`)).data).toEqual([]);
  });

  it('can be filtered by a replay, which selects the deliveries that it has created', async () => {
    const {replay, event, made} = await replayOne();
    const {rows} = await everyPage(`replay=${replay}&limit=1`);
    expect(rows).toEqual([made]);
    expect((await list(`?event=${event}`)).data.map(({replay_id: by}: Json) => by)).toEqual([replay, null]);
    expect((await list(`?replay=${replay}&event_type=team.deleted`)).data).toEqual([]);
    expect((await list('?replay=rpl_01h455vb4pex5vsknk084sn02q')).data).toEqual([]);
  });

  it('are searched 300 at a time, so that a page may be empty and be followed by others', async () => {
    const {store} = service.core;
    const newDeadline = () => performance.now() + 5_000;
    // Later events have no receiver.
    await workspace.request('PATCH', `/v1/webhooks/${webhook.id}`, {body: {enabled: false}});
    const off = await make(workspace, '/v1/webhooks', {url: receiver.url, events: ['*'], enabled: false});
    const about = suffixOf(workspace.team);
    const events = Array.from({length: 110}, () => ({type: 'team.deleted', about, revision: 1}) as const);
    for (let i = 0; i < 4; i++) {
      const commit = {guards: [], writes: [], events, reply: {kind: 'empty'}} as const;
      const outcome = await store.commits.run({workspace: workspace.id, deadline: newDeadline()}, commit);
      if (outcome.kind !== 'committed') throw new Error(outcome.kind);
      const made = events.map((_, n) => {
        const sequence = outcome.sequence - n;
        const suffix = suffixWithSequence(about, sequence);
        return store.deliveries.make(
          workspace.id,
          {webhook: suffixOf(off.id), suffix, sequence},
          newDeadline(),
        );
      });
      await Promise.all(made);
    }
    webhook = off;
    const first = await list('?state=succeeded&limit=10');
    expect(first).toMatchObject({data: [], has_more: true, next_cursor: expect.any(String)});
    expect(await everyPage('state=succeeded&limit=10')).toEqual({rows: [], pages: 2});
    const held = await everyPage('state=held&limit=100');
    expect({rows: held.rows.length, pages: held.pages}).toEqual({rows: 440, pages: 5});
    expect(new Set(held.rows.map(({id}) => id)).size).toBe(440);
  });
});

describe('the deliveries of an event', () => {
  const of = async (event: string, query = ''): Promise<Json> => {
    const answer = await workspace.request('GET', `/v1/events/${event}/deliveries${query}`);
    if (answer.status !== 200) throw new Error(answer.text);
    return answer.body;
  };

  it('include those of all webhooks, the newest webhook first, whatever the size of a page', async () => {
    const hooks: Json[] = [];
    for (let i = 0; i < 3; i++) {
      hooks.push(await make(workspace, '/v1/webhooks', {url: receiver.url, events: ['team.created']}));
    }
    await make(workspace, '/v1/teams', {slug: 'third'});
    const expected = await until(async () => {
      const pages = await Promise.all(
        hooks.map((hook) => workspace.request('GET', `/v1/webhooks/${hook.id}/deliveries`)),
      );
      const rows = pages.flatMap(({body}) => body.data);
      return rows.length === 3 && rows.every(({state}) => state === 'succeeded')
        ? rows.toReversed()
        : undefined;
    });
    const event = expected[0].event_id;
    const first = hooks[0];
    // The earlier webhook gets the event too.
    const all = await until(async () => {
      const {data} = await of(event);
      return data.length === 4 && data.every(({state}: Json) => state === 'succeeded') ? data : undefined;
    });
    expect(all.slice(0, 3)).toEqual(expected);
    for (const limit of [1, 2, 3]) {
      const rows: Json[] = [];
      for (let cursor = ''; ; ) {
        const page = await of(event, `?limit=${limit}${cursor}`);
        expect(page.data.length).toBeLessThanOrEqual(limit);
        rows.push(...page.data);
        if (!page.has_more) break;
        cursor = `&cursor=${page.next_cursor}`;
      }
      expect(rows).toEqual(all);
    }
    // A deleted webhook has no deliveries.
    await workspace.request('DELETE', `/v1/webhooks/${first.id}`);
    expect((await of(event)).data).toEqual(all.filter(({webhook_id: to}: Json) => to !== first.id));
  });

  it('include the deliveries that replays created beside the first one', async () => {
    await replayOne();
    const {body} = await workspace.request('GET', '/v1/events?limit=100');
    const event = body.data.find(({type, data}: Json) => type === 'team.created' && data.slug === 'other');
    const rows = (await of(event.id)).data;
    expect(rows.map(({replay_id: by}: Json) => by === null)).toEqual([false, true]);
    const first = await of(event.id, '?limit=1');
    const second = await of(event.id, `?limit=1&cursor=${first.next_cursor}`);
    expect([...first.data, ...second.data, second.has_more]).toEqual([...rows, false]);
  });

  it('are shown to managers of the workspace only, and for existing events only', async () => {
    const {body} = await workspace.request('GET', '/v1/events?limit=1');
    const path = `/v1/events/${body.data[0].id}/deliveries`;
    const member = await addPerson(service, workspace);
    expectProblem(await workspace.request('GET', path, {token: member.token}), 'forbidden');
    expectProblem(await (await service.addWorkspace()).request('GET', path), 'not_found');
    const gone = '/v1/events/evt_01h455vb4pex5vsknk084sn02q/deliveries';
    expectProblem(await workspace.request('GET', gone), 'not_found');
  });
});
