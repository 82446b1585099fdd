import {afterAll, beforeAll, beforeEach, describe, expect, it} from '@jest/globals';
import {sendToRedis} from '../../../scripts/redis-protocol.mjs';
import {type Json, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {expectProblem} from '../http/expect-problem.js';
import {addPerson} from '../people.js';
import {eventsOf, make} from '../samples.js';

let service: TestService;
let workspace: TestWorkspace;

beforeAll(async () => {
  service = await startService();
});

afterAll(() => service.close());

const feed = (query = '') => workspace.request('GET', `/v1/events${query}`);

describe('the event feed', () => {
  beforeEach(async () => {
    workspace = await service.addWorkspace();
  });

  it('contains each change in the order in which it happened, without a gap', async () => {
    // The position of a standup in Slack is no part of a revision, and so of no event.
    const {
      slack: _slack,
      thread: _thread,
      ...standup
    } = await make(workspace, '/v1/standups', {
      team: 'platform',
      update: 'One.',
      metadata: {a: '1'},
    });
    const path = `/v1/standups/${standup.id}`;
    const {
      slack: _none,
      thread: _unused,
      ...edited
    } = (await workspace.request('PATCH', path, {body: {update: 'Two.'}})).body;
    await workspace.request('DELETE', path);
    const events = await eventsOf(workspace);
    expect(events.map(({type}) => type)).toEqual([
      'team.created',
      'token.created',
      'standup.created',
      'standup.updated',
      'standup.deleted',
    ]);
    expect(events.map(({sequence}) => sequence)).toEqual([1, 2, 3, 4, 5]);
    const [, , created, updated, deleted] = events;
    expect(created).toEqual({
      id: expect.stringMatching(/^evt_[0-7][0-9a-hjkmnp-tv-z]{25}$/),
      object: 'event',
      type: 'standup.created',
      timestamp: standup.created_at,
      sequence: 3,
      workspace: workspace.id,
      api_version: 'v1',
      actor: expect.objectContaining({type: 'service_account', id: workspace.principal.id, source: 'api'}),
      data: standup,
    });
    expect(updated).toMatchObject({data: edited, previous_attributes: {update: 'One.', edited: false}});
    expect(Object.keys(updated.previous_attributes)).toHaveLength(2);
    expect(deleted.data).toEqual(edited);
    expect(deleted).not.toHaveProperty('previous_attributes');
  });

  it('is the whole log for every holder of events:read, whatever their role, as SECURITY.md says', async () => {
    const hook = {url: 'https://receiver.example/hook', events: ['member.left']};
    await make(workspace, '/v1/webhooks', hook);
    await workspace.addToken({name: 'name-of-a-token'});
    const {token} = await addPerson(service, workspace, {scopes: ['events:read'], email: 'ada@example.com'});
    const {status, body} = await workspace.request('GET', '/v1/events?limit=100', {token});
    expect(status).toBe(200);
    const shown = body.data as Json[];
    const about = (type: string) => shown.filter((event) => event.type === type).map(({data}) => data);
    expect(about('webhook.created')).toContainEqual(expect.objectContaining({url: hook.url}));
    expect(about('token.created')).toContainEqual(expect.objectContaining({name: 'name-of-a-token'}));
    expect(about('member.joined')).toContainEqual(expect.objectContaining({email: 'ada@example.com'}));
    // Events contain no secret.
    expect(JSON.stringify(shown)).not.toMatch(/whsec_|"token":"(?!tok_)|"secret":/);
    const list = await workspace.request('GET', '/v1/webhooks', {token});
    expectProblem(list, 'insufficient_scope');
  });

  it('shows an event as it happened, even if its resource has changed since', async () => {
    const before = await feed();
    const {id} = await make(workspace, '/v1/standups', {team: 'platform', update: 'First words.'});
    for (const update of ['Second words.', 'Third words.'])
      await workspace.request('PATCH', `/v1/standups/${id}`, {body: {update}});
    const texts = (await eventsOf(workspace)).slice(before.body.data.length).map(({data}) => data.update);
    expect(texts).toEqual(['First words.', 'Second words.', 'Third words.']);
  });

  it('can be polled, since the last page has a cursor too, which later finds new events', async () => {
    const last = await feed('?limit=100');
    expect(last.body.has_more).toBe(false);
    expect(last.headers.get('link')).toBeNull();
    const cursor = last.body.next_cursor;
    const nothing = await feed(`?cursor=${cursor}`);
    expect(nothing.body).toEqual({object: 'list', data: [], has_more: false, next_cursor: cursor});
    const {id} = await make(workspace, '/v1/standups', {team: 'platform', update: 'New.'});
    const news = await feed(`?cursor=${cursor}`);
    expect(news.body.data.map(({data}: Json) => data.id)).toEqual([id]);
  });

  it('consists of pages without gaps or overlaps', async () => {
    for (const update of ['One.', 'Two.', 'Three.'])
      await make(workspace, '/v1/standups', {team: 'platform', update});
    const all = await eventsOf(workspace);
    const joined: Json[] = [];
    let page = await feed('?limit=2');
    for (;;) {
      joined.push(...page.body.data);
      const link = page.headers.get('link');
      expect(link !== null).toBe(page.body.has_more);
      if (link === null) break;
      const next = new URL(/<([^>]+)>/.exec(link)?.[1] ?? '');
      page = await workspace.request('GET', next.pathname + next.search);
    }
    expect(joined).toEqual(all);
  });

  it('has no gap and no duplicate after 60 concurrent posts', async () => {
    await Promise.all(
      Array.from({length: 60}, (_, i) => make(workspace, '/v1/standups', {team: 'platform', update: `${i}`})),
    );
    const events = await eventsOf(workspace);
    expect(events.map(({sequence}) => sequence)).toEqual(events.map((_, i) => i + 1));
    expect(new Set(events.map(({id}) => id)).size).toBe(events.length);
    const times = events.map(({timestamp}) => timestamp);
    expect(times).toEqual(times.toSorted());
  });

  it('begins at the oldest event that is stored', async () => {
    const fresh = await service.addWorkspace();
    const {body} = await fresh.request('GET', '/v1/events?limit=1');
    expect(body).toMatchObject({data: [{sequence: 1, type: 'team.created'}], has_more: true});
  });
});

describe('one event', () => {
  const single = (id: string) => workspace.request('GET', `/v1/events/${id}`);

  beforeAll(async () => {
    workspace = await service.addWorkspace();
    const {id} = await make(workspace, '/v1/standups', {team: 'platform', update: 'A\u2028 "quoted" 😀'});
    await workspace.request('PATCH', `/v1/standups/${id}`, {body: {update: 'B'}});
  });

  it('has the same bytes as in the feed', async () => {
    const texts: string[] = [];
    for (const {id} of await eventsOf(workspace)) texts.push((await single(id)).text);
    const {text} = await feed('?limit=100');
    expect(text).toContain(`"data":[${texts.join(',')}],"has_more"`);
    expect(texts.at(-1)).toContain('"previous_attributes"');
  });

  it('is not found by an id that differs in any part, nor by an id of another kind', async () => {
    const {id} = (await eventsOf(workspace)).at(-1);
    const flip = (i: number) => `${id.slice(0, i)}${id[i] === '1' ? '2' : '1'}${id.slice(i + 1)}`;
    const wrong = [
      flip(5),
      flip(14),
      flip(20),
      flip(id.length - 1),
      id.slice(0, -1),
      id.replace('evt', 'std'),
    ];
    for (const one of [...wrong, id.toUpperCase(), 'evt_', 'stream2', '%00'])
      expectProblem(await single(one), 'not_found');
  });

  it('is not found once it has been dropped, even by a process that has just read it', async () => {
    const [first] = await eventsOf(workspace);
    expect((await single(first.id)).status).toBe(200);
    await sendToRedis(service.redisUrl, [['XTRIM', `{${workspace.id}}:events`, 'MINID', '2-0']]);
    expectProblem(await single(first.id), 'not_found');
  });
});

describe('the feed after old events have been dropped', () => {
  let early: string;
  let later: string;

  beforeEach(async () => {
    workspace = await service.addWorkspace();
    for (const update of ['A', 'B', 'C', 'D'])
      await make(workspace, '/v1/standups', {team: 'platform', update});
    early = (await feed('?limit=1')).body.next_cursor;
    later = (await feed('?limit=3')).body.next_cursor;
    await sendToRedis(service.redisUrl, [['XTRIM', `{${workspace.id}}:events`, 'MINID', '4-0']]);
  });

  it('answers an older cursor with cursor_expired, never with a silent gap', async () => {
    expectProblem(await feed(`?cursor=${early}`), 'cursor_expired');
  });

  it('continues after a cursor just before the oldest event left', async () => {
    expect((await feed(`?cursor=${later}`)).body.data.map(({sequence}: Json) => sequence)).toEqual([4, 5, 6]);
  });

  it('begins at the oldest event left without a cursor', async () => {
    expect((await feed()).body.data.map(({sequence}: Json) => sequence)).toEqual([4, 5, 6]);
  });

  it('waits for new events after a cursor at the end, even if none is left', async () => {
    const end = (await feed()).body.next_cursor;
    await sendToRedis(service.redisUrl, [['XTRIM', `{${workspace.id}}:events`, 'MAXLEN', '0']]);
    expect((await feed(`?cursor=${end}`)).body.data).toEqual([]);
    expectProblem(await feed(`?cursor=${later}`), 'cursor_expired');
    await make(workspace, '/v1/standups', {team: 'platform', update: 'E'});
    expect((await feed(`?cursor=${end}`)).body.data.map(({sequence}: Json) => sequence)).toEqual([7]);
  });
});
