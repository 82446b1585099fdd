import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, it} from '@jest/globals';
import {sendToRedis} from '../../../scripts/redis-protocol.mjs';
import type {Scope} from '../../../src/domain/core/access.js';
import {limits} from '../../../src/domain/core/limits.js';
import {type EventReader, openEvents, type ReaderOptions} from '../../support/event-reader.js';
import {type Json, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {until} from '../../support/until.js';
import {expectProblem} from '../http/expect-problem.js';
import {addPerson} from '../people.js';
import {eventsOf, make} from '../samples.js';

const path = '/v1/changes/stream';
let service: TestService;
let workspace: TestWorkspace;
const open: EventReader[] = [];

beforeAll(async () => {
  service = await startService({streaming: {pulse: 100}});
});

afterAll(() => service.close());

beforeEach(async () => {
  workspace = await service.addWorkspace();
});

afterEach(() => {
  for (const reader of open.splice(0)) reader.cut();
});

async function follow(options: Partial<ReaderOptions> = {}): Promise<EventReader> {
  const reader = await openEvents(service.url, {token: workspace.token, path, ...options});
  open.push(reader);
  return reader;
}

const post = (update: string, token = workspace.token) =>
  workspace.request('POST', '/v1/standups', {token, body: {team: 'platform', update}});

const changes = ({events}: EventReader): Json[] => events.map(({data}) => JSON.parse(data));
const types = (reader: EventReader) => changes(reader).map(({type}) => type);
const lastEvent = async (): Promise<Json> => (await eventsOf(workspace)).at(-1);

/** Waits until a reader has everything that has happened, or has passed over it. */
const hasPassed = async (reader: EventReader) => {
  const {id} = await lastEvent();
  await until(() => reader.lastId() === id, {what: 'the reader has passed the last event'});
};

it('a change is sent at once and once, with its type, owner and team, and without any text', async () => {
  const ada = await addPerson(service, workspace, {team: 'platform'});
  const reader = await follow({token: ada.token});
  await until(() => reader.lastId());
  const {body: standup} = await post('Nobody reads this in a stream.', ada.token);
  const blocker = await make(workspace, '/v1/blockers', {team: 'platform', text: 'Nor that.'});
  await workspace.request('DELETE', `/v1/teams/platform/members/${ada.id}`);
  await hasPassed(reader);
  const [place] = (await eventsOf(workspace)).slice(-1);
  const own = {team_id: workspace.team, member_id: ada.id};
  const told = changes(reader).filter(({type}) => type !== 'team.member_updated');
  expect(told).toEqual([
    {
      ...own,
      sequence: expect.any(Number),
      type: 'standup.created',
      object: 'standup',
      id: standup.id,
      date: standup.date,
    },
    {
      sequence: expect.any(Number),
      type: 'blocker.raised',
      object: 'blocker',
      id: blocker.id,
      team_id: workspace.team,
      date: null,
      member_id: null,
    },
    {
      ...own,
      sequence: place.sequence,
      type: 'team.member_removed',
      object: 'team_member',
      id: place.data.id,
      date: null,
    },
  ]);
  expect(reader.events.map(({data}) => data).join()).not.toMatch(/Nobody|Nor that|Ada/);
  expect(reader.events.at(-1)).toMatchObject({id: place.id, event: 'team.member_removed'});
  expect(reader.headers).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-store, no-transform',
  });
});

describe('a change that the caller may not read', () => {
  it('is left out by scope, so that a token without any scope gets nothing', async () => {
    const tokenOf = async (name: string, scopes: readonly Scope[]) =>
      follow({token: (await workspace.addToken({name, scopes})).value});
    const none = await tokenOf('none', []);
    const standups = await tokenOf('standups', ['standups:read']);
    const people = await tokenOf('people', ['members:read', 'teams:read']);
    await until(() => [none, standups, people].every((reader) => reader.lastId()));
    const before = (await eventsOf(workspace)).length;
    await post('One.');
    await make(workspace, '/v1/teams', {slug: 'new'});
    await make(workspace, '/v1/members', {name: 'Grace'});
    await make(workspace, '/v1/tokens', {name: 'mine'});
    await make(workspace, '/v1/webhooks', {url: 'https://a.example/x', events: ['*'], enabled: false});
    await workspace.request('PATCH', '/v1/workspace', {body: {name: 'Renamed'}});
    for (const reader of [none, standups, people]) await hasPassed(reader);
    expect(types(none)).toEqual([]);
    expect(types(standups)).toEqual(['standup.created']);
    // The tokens of the readers above were made one after the other.
    expect(types(people)).toEqual(['team.created', 'member.joined']);
    expect(before).toBeGreaterThan(0);
  });

  it('is left out by role: a member gets their own tokens only, and no webhooks, unless they manage the workspace', async () => {
    const ada = await addPerson(service, workspace);
    const reader = await follow({token: ada.token, query: '?types=token.*,webhook.*'});
    await until(() => reader.lastId());
    const act = async () => {
      await make(workspace, '/v1/tokens', {name: 'of a program'});
      await make(workspace, '/v1/webhooks', {url: 'https://a.example/x', events: ['*'], enabled: false});
    };
    await act();
    await workspace.request('POST', '/v1/tokens', {token: ada.token, body: {name: 'own'}});
    await hasPassed(reader);
    expect(changes(reader)).toMatchObject([{type: 'token.created', member_id: ada.id}]);

    await workspace.request('PATCH', `/v1/members/${ada.id}`, {body: {role: 'admin'}});
    // Where somebody stands is looked at again after a moment.
    await until(
      async () => {
        await make(workspace, '/v1/tokens', {name: 'again'});
        await hasPassed(reader);
        return reader.events.length > 1;
      },
      {what: 'the new role counts'},
    );
    const heard = reader.events.length;
    await act();
    await hasPassed(reader);
    expect(types(reader).slice(heard)).toEqual(['token.created', 'webhook.created']);
  });
});

it('a client that reconnects with the last id misses nothing and gets nothing twice', async () => {
  const reader = await follow({query: '?types=standup.*'});
  await until(() => reader.lastId());
  await post('A');
  await until(() => reader.events.length === 1);
  reader.cut();
  await reader.ended;
  await post('B');
  const back = await follow({query: '?types=standup.*', lastEventId: reader.lastId()});
  await post('C');
  await until(() => back.events.length === 2);
  const all = (await eventsOf(workspace)).filter(({type}) => type === 'standup.created');
  expect([...changes(reader), ...changes(back)].map(({id}) => id)).toEqual(all.map(({data}) => data.id));
});

it('the change of an erased resource has no id', async () => {
  const [first] = await eventsOf(workspace);
  const ada = await addPerson(service, workspace, {team: 'platform'});
  await post('Erased soon.', ada.token);
  await workspace.request('DELETE', `/v1/members/${ada.id}?erase=true`);
  await until(
    async () => {
      const created = (await eventsOf(workspace)).find(({type}) => type === 'standup.created');
      return created?.data === null;
    },
    {what: 'the erasure'},
  );
  const reader = await follow({lastEventId: first.id, query: '?types=standup.created'});
  await until(() => reader.events.length === 1);
  expect(changes(reader)[0]).toMatchObject({object: 'standup', id: null, date: null, member_id: null});
});

describe('a change stream', () => {
  const stream = (headers: Record<string, string> = {}, query = '') =>
    workspace.request('GET', `${path}${query}`, {headers});

  it('is refused after an event that has been dropped, and after an invalid id', async () => {
    for (const update of ['A', 'B', 'C']) await post(update);
    const [, second] = await eventsOf(workspace);
    await sendToRedis(service.redisUrl, [['XTRIM', `{${workspace.id}}:events`, 'MINID', '4-0']]);
    expectProblem(await stream({'last-event-id': second.id}), 'cursor_expired');
    expectProblem(await stream({'last-event-id': 'nonsense'}), 'invalid_parameter', {
      header: 'Last-Event-ID',
    });
    expectProblem(await stream({}, '?after=x'), 'invalid_parameter', {parameter: 'after'});
  });

  it('is refused if the principal has as many as allowed, of both kinds together', async () => {
    for (let i = 0; i < limits.streamsPerPrincipal; i += 1)
      await follow(i % 2 === 0 ? {} : {path: '/v1/events/stream'});
    expectProblem(await stream(), 'limit_reached');
    open[0]?.cut();
    await until(async () => (await stream()).status === 200, {what: 'a seat that is free again'});
  });
});

it('a stream sends keep-alives while nothing happens, and ends when its token does', async () => {
  const {value, id} = await workspace.addToken({name: 'short'});
  const reader = await follow({token: value, query: '?types=standup.*'});
  await until(() => reader.comments.length >= 3);
  await service.core.services.tokens.revokeToken(workspace.operator(), id);
  expect(await reader.ended).toBe('end');
  expect(reader.comments.at(-1)).toMatch(/revoked/);
  expect(reader.events).toEqual([]);
});
