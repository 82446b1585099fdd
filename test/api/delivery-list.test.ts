import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {drawnPart, sequencedPart} from '../../src/domain/ids.js';
import {type Receiver, startReceiver} from '../support/receiver.js';
import {type Json, startService, type TestService, type TestWorkspace} from '../support/service.js';
import {until} from '../support/until.js';
import {expectProblem} from './expect-problem.js';
import {make} from './samples.js';

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

/** Every page from the first on. */
async function everyPage(query: string): Promise<{rows: Json[]; pages: number}> {
  const rows: Json[] = [];
  for (let pages = 1, cursor = ''; ; pages++) {
    const {data, has_more: more, next_cursor: next} = await list(`?${query}${cursor}`);
    rows.push(...data);
    if (!more) return {rows, pages};
    cursor = `&cursor=${next}`;
  }
}

beforeAll(async () => {
  service = await startService();
  receiver = await startReceiver();
  workspace = await service.addWorkspace();
  // Of ten deliveries the third and the sixth are not taken, and one is of another type.
  receiver.respondWith(({body}) =>
    /Update [36]"/.test(body.toString()) ? {status: 500, headers: {'webhook-delivery': 'abort'}} : 204,
  );
  webhook = await make(workspace, '/v1/webhooks', {url: receiver.url, events: ['standup.*', 'team.*']});
  for (let i = 1; i <= 9; i++)
    await make(workspace, '/v1/standups', {team: 'platform', update: `Update ${i}`});
  await make(workspace, '/v1/teams', {slug: 'other'});
  all = await until(async () => {
    const {data} = await list('?limit=100');
    const settled = data.every(({state}: Json) => state === 'succeeded' || state === 'aborted');
    return settled && data.length === 10 ? data : undefined;
  });
});

afterAll(async () => {
  await service.close();
  await receiver.close();
});

describe('the deliveries of a webhook', () => {
  it.each([
    ['state=aborted', ({state}: Json) => state === 'aborted', 2],
    ['state=succeeded', ({state}: Json) => state === 'succeeded', 8],
    ['event_type=team.created', ({event_type: type}: Json) => type === 'team.created', 1],
    [
      'event_type=standup.created&state=succeeded',
      ({state, event_type: type}: Json) => state === 'succeeded' && type === 'standup.created',
      7,
    ],
    ['state=held', () => false, 0],
  ])('with %s are those, whatever the size of a page', async (query, keeps, count) => {
    const expected = all.filter(keeps);
    expect(expected).toHaveLength(count);
    for (const limit of [1, 2, 3, 100]) {
      expect((await everyPage(`${query}&limit=${limit}`)).rows).toEqual(expected);
    }
  });

  it('without a filter are all of them, in full pages', async () => {
    expect(await everyPage('limit=4')).toEqual({rows: all, pages: 3});
    expect(await everyPage('limit=5')).toEqual({rows: all, pages: 2});
    expect(await everyPage('limit=10')).toEqual({rows: all, pages: 1});
  });

  it('are refused by a state or a type that does not exist', async () => {
    for (const parameter of ['state', 'event_type']) {
      const path = `/v1/webhooks/${webhook.id}/deliveries?${parameter}=failed`;
      expectProblem(await workspace.request('GET', path), 'invalid_parameter', {parameter});
    }
  });

  it('are looked at 300 at a time: a page may be empty and be followed by others', async () => {
    const {store} = service.core;
    const soon = () => performance.now() + 5_000;
    const off = await make(workspace, '/v1/webhooks', {url: receiver.url, events: ['*'], enabled: false});
    const about = drawnPart(workspace.team);
    const events = Array.from({length: 110}, () => ({type: 'team.deleted', about, revision: 1}) as const);
    for (let i = 0; i < 4; i++) {
      const commit = {guards: [], writes: [], events, reply: {status: 204}} as const;
      const outcome = await store.commits.run({workspace: workspace.id, deadline: soon()}, commit);
      if (outcome.kind !== 'committed') throw new Error(outcome.kind);
      const made = events.map((_, n) => {
        const sequence = outcome.sequence - n;
        const drawn = sequencedPart(about, sequence);
        return store.deliveries.make(workspace.id, {webhook: drawnPart(off.id), drawn, sequence}, soon());
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
