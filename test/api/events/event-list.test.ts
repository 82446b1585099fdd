import {afterAll, beforeAll, beforeEach, describe, expect, it} from '@jest/globals';
import {sendToRedis} from '../../../scripts/redis-protocol.mjs';
import {eventTypes} from '../../../src/domain/events/event.js';
import {limits} from '../../../src/domain/core/limits.js';
import {type Json, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {copyDatabase} from '../../support/set-back.js';
import {expectProblem} from '../http/expect-problem.js';
import {addPerson, type Person} from '../people.js';
import {eventsOf, make} from '../samples.js';

let service: TestService;
let workspace: TestWorkspace;
let ada: Person;
let grace: Person;
let design: Json;
let all: Json[];

const feed = (query: string, at = workspace) => at.request('GET', `/v1/events?${query}`);
const idsOf = (events: Json[]) => events.map(({id}) => id);

/** All rows of a query's pages. */
async function walk(query: string, at = workspace, limit = 3): Promise<Json[]> {
  const found: Json[] = [];
  for (let cursor = ''; ; ) {
    const {body} = await feed(`limit=${limit}&${query}${cursor}`, at);
    found.push(...body.data);
    if (!body.has_more) return found;
    cursor = `&cursor=${body.next_cursor}`;
  }
}

beforeAll(async () => {
  service = await startService({env: {ROLES: 'web'}});
  workspace = await service.addWorkspace();
  design = await make(workspace, '/v1/teams', {slug: 'design'});
  ada = await addPerson(service, workspace, {team: 'design'});
  grace = await addPerson(service, workspace, {name: 'Grace Hopper', role: 'owner'});
  for (const [person, team] of [
    [ada, 'design'],
    [grace, 'platform'],
    [ada, 'platform'],
  ] as const) {
    const body = {team, update: `By ${person.name}.`};
    await workspace.request('POST', '/v1/standups', {token: person.token, body});
  }
  await workspace.request('POST', '/v1/absences', {token: grace.token, body: {member: ada.id}});
  await workspace.request('PATCH', '/v1/teams/design', {token: grace.token, body: {name: 'Design'}});
  await make(workspace, '/v1/blockers', {team: 'design', text: 'CI is red.'});
});

// Each test adds its own events.
beforeEach(async () => {
  all = await eventsOf(workspace);
});

afterAll(() => service.close());

describe('the order of the event list', () => {
  it('does not change which events the pages contain; the list has an end only if it is newest first', async () => {
    expect(await walk('order=desc')).toEqual(all.toReversed());
    expect((await feed('order=desc&limit=100')).body).toMatchObject({has_more: false, next_cursor: null});
    expect(await walk('order=asc')).toEqual(all);
  });

  it('is not disturbed, if it is newest first, by events that arrive between two pages', async () => {
    const {body: first} = await feed('order=desc&limit=3');
    await make(workspace, '/v1/standups', {team: 'design', update: 'Later.'});
    const {body: second} = await feed(`order=desc&limit=3&cursor=${first.next_cursor}`);
    expect(idsOf([...first.data, ...second.data])).toEqual(idsOf(all.toReversed().slice(0, 6)));
  });

  it('is part of a cursor, like the filters, so that the cursor is refused with another order', async () => {
    const {next_cursor: cursor} = (await feed('order=desc&limit=3')).body;
    expectProblem(await feed(`order=asc&cursor=${cursor}`), 'invalid_cursor', {parameter: 'cursor'});
    expectProblem(await feed(`order=desc&types=team.*&cursor=${cursor}`), 'invalid_cursor');
  });
});

describe('the filters of the event list', () => {
  /** Compares the rows page by page, in both orders. */
  async function expectFound(query: string, wanted: (event: Json) => boolean) {
    const found = all.filter(wanted);
    expect(found.length).toBeGreaterThan(0);
    expect(found.length).toBeLessThan(all.length);
    expect(idsOf(await walk(query, workspace, 1))).toEqual(idsOf(found));
    expect(idsOf(await walk(`${query}&order=desc`, workspace, 2))).toEqual(idsOf(found.toReversed()));
  }

  it('select exact event types, and all types of one kind of object', () =>
    expectFound(
      'types=standup.created,team.*',
      ({type}) => type === 'standup.created' || type.startsWith('team.'),
    ));

  it('select the events that an actor has caused: a member, a token, or the operator', async () => {
    await expectFound(`actor=${grace.id}`, ({actor}) => actor.id === grace.id);
    const {token} = all.findLast(({actor}) => actor.id === ada.id)?.actor ?? {};
    await expectFound(`actor=${token}`, ({actor}) => actor.token === token);
    await expectFound('actor=operator', ({actor}) => actor.type === 'operator');
  });

  it('select events about a team and everything that belongs to it', () =>
    expectFound(`about=${design.id}`, ({data}) => data.id === design.id || data.team_id === design.id));

  it('select events about a member: profile, posts, absences, teams and tokens', async () => {
    const isOfAda = ({data}: Json) =>
      [data, data.author, data.member, data.holder].some((one) => one?.id === ada.id);
    await expectFound(`about=${ada.id}`, isOfAda);
    const types = new Set(all.filter(isOfAda).map(({type}) => type));
    expect(types).toEqual(
      new Set(['member.joined', 'team.member_added', 'token.created', 'standup.created', 'absence.created']),
    );
  });

  it('select events about any other single resource, and none by an id of another kind', async () => {
    const {id} = all.find(({type}) => type === 'blocker.raised')?.data ?? {};
    await expectFound(`about=${id}`, ({data}) => data.id === id);
    expect(await walk(`about=${id.replace('blk', 'std')}`)).toEqual([]);
  });

  it('select events since and until an instant, both inclusive', async () => {
    const [since, until] = [all[3]?.timestamp, all[9]?.timestamp];
    const isIn = ({timestamp}: Json) => timestamp >= since && timestamp <= until;
    await expectFound(`since=${since}&until=${until}`, isIn);
    await expectFound(
      `since=${since}&types=standup.*`,
      (one) => one.timestamp >= since && one.type.startsWith('standup'),
    );
    await expectFound(`until=${until}`, ({timestamp}) => timestamp <= until);
  });

  it('return nothing for a time in the future; with oldest first, the cursor then waits for new events', async () => {
    const since = new Date(Date.now() + 1).toISOString();
    expect((await feed(`order=desc&since=2099-01-01T00:00:00Z`)).body).toMatchObject({
      data: [],
      has_more: false,
    });
    const own = await service.addWorkspace();
    const {body} = await feed(`types=standup.*&since=${since}`, own);
    expect(body).toMatchObject({data: [], has_more: false});
    const {id} = await make(own, '/v1/standups', {team: 'platform', update: 'New.'});
    const {body: next} = await feed(`types=standup.*&since=${since}&cursor=${body.next_cursor}`, own);
    expect(next.data.map(({data}: Json) => data.id)).toEqual([id]);
  });

  it('need the scope events:read, as the whole feed does', async () => {
    const {token} = await addPerson(service, workspace, {name: 'Eve', scopes: ['standups:read']});
    const answer = await workspace.request('GET', `/v1/events?order=desc&about=${ada.id}`, {token});
    expectProblem(answer, 'insufficient_scope');
  });
});

describe('a long log', () => {
  const count = 4_100;
  let long: TestWorkspace;
  let oldest: Json;

  /** `count` events that do not match the query, then one more that does. */
  beforeEach(async () => {
    long = await service.addWorkspace();
    [oldest] = await eventsOf(long);
    const key = `{${long.id}}:events`;
    const {sequence} = (await eventsOf(long)).at(-1) ?? {};
    const at = String(Date.now());
    const fields = ['n', at, 't', 'webhook.test', 'a', 'x'.repeat(16), 'r', '1', 'm', ''];
    const commands = Array.from({length: count}, (_, i) => ['XADD', key, `${sequence + 1 + i}-0`, ...fields]);
    await sendToRedis(service.redisUrl, commands);
    await sendToRedis(service.redisUrl, [
      ['HSET', `{${long.id}}:head`, 'sequence', String(sequence + count)],
    ]);
    await make(long, '/v1/teams', {slug: 'last'});
  });

  it.each([
    ['desc', 'last'],
    ['asc', 'platform'],
  ])('is read in bounded parts, %s: a page may be short, and its cursor continues', async (order, first) => {
    const query = `types=team.created&order=${order}`;
    const slugs: string[][] = [];
    let cursor = '';
    for (let more = true; more; ) {
      const {body} = await feed(`${query}${cursor}`, long);
      slugs.push(body.data.map(({data}: Json) => data.slug));
      cursor = `&cursor=${body.next_cursor}`;
      more = body.has_more;
    }
    expect(slugs).toEqual([[first], [], [first === 'last' ? 'platform' : 'last']]);
  });

  it('that is trimmed between two pages ends early if read newest first, and answers cursor_expired if read oldest first', async () => {
    const next = async (order: string) =>
      `order=${order}&limit=5&cursor=${(await feed(`order=${order}&limit=5`, long)).body.next_cursor}`;
    const [down, up] = [await next('desc'), await next('asc')];
    await sendToRedis(service.redisUrl, [['XTRIM', `{${long.id}}:events`, 'MAXLEN', '7']]);
    const {body} = await feed(down, long);
    expect(body.data).toHaveLength(2);
    expect(body).toMatchObject({has_more: false, next_cursor: null});
    await sendToRedis(service.redisUrl, [['XTRIM', `{${long.id}}:events`, 'MAXLEN', '3']]);
    expect((await feed(down, long)).body).toMatchObject({data: [], has_more: false});
    expectProblem(await feed(up, long), 'cursor_expired');
    expect(idsOf(await walk('types=team.created', long))).not.toContain(oldest?.id);
  });
});

it('a cursor of the list newest first expires when the store was restored, even if other events now have the same numbers', async () => {
  const own = await service.addWorkspace();
  const setBack = await copyDatabase(service.redisUrl);
  const write = () => make(own, '/v1/standups', {team: 'platform', update: 'Words.'});
  await write();
  const {body} = await feed('order=desc&limit=1', own);
  await setBack();
  expectProblem(await feed(`order=desc&limit=1&cursor=${body.next_cursor}`, own), 'cursor_expired');
  await write();
  expectProblem(await feed(`order=desc&limit=1&cursor=${body.next_cursor}`, own), 'cursor_expired');
});

describe('the types of events', () => {
  it('are listed in pages, each with its cause, the operation that reads it, and an example', async () => {
    const first = (await workspace.request('GET', '/v1/event-types?limit=30')).body;
    expect(first.has_more).toBe(true);
    const path = `/v1/event-types?limit=30&cursor=${first.next_cursor}`;
    const rest = (await workspace.request('GET', path)).body;
    expect(rest).toMatchObject({has_more: false, next_cursor: null});
    const types: Json[] = [...first.data, ...rest.data];
    expect(types.map(({type}) => type)).toEqual([...eventTypes]);
    for (const {type, description, example, ...one} of types) {
      expect(description).toMatch(/^[A-Z].*\.$/);
      expect(example).toMatchObject({object: 'event', type, api_version: one.api_version});
      expect(example.data.object).toBe(one.subject);
      expect('previous_attributes' in example).toBe(one.shows_previous);
    }
    expect(limits.pageMax).toBeGreaterThan(eventTypes.length);
    expect(types.find(({type}) => type === 'team.member_added')).toMatchObject({
      object: 'event_type',
      group: 'team.*',
      subject: 'team_member',
      scope: 'teams:read',
    });
  });

  it('can be read with any token', async () => {
    const {token} = await addPerson(service, workspace, {name: 'Kay', scopes: ['standups:read']});
    expect((await workspace.request('GET', '/v1/event-types', {token})).status).toBe(200);
  });
});
