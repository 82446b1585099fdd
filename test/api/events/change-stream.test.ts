import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, it} from '@jest/globals';
import {sendToRedis} from '../../../scripts/redis-protocol.mjs';
import type {Scope} from '../../../src/domain/core/access.js';
import {limits} from '../../../src/domain/core/limits.js';
import {
  type EventStreamClient,
  openEvents,
  type EventStreamOptions,
} from '../../support/event-stream-client.js';
import {type Json, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {until} from '../../support/until.js';
import {expectProblem} from '../http/expect-problem.js';
import {addPerson} from '../people.js';
import {eventsOf, make} from '../samples.js';

const path = '/v1/changes/stream';
let service: TestService;
let workspace: TestWorkspace;
const open: EventStreamClient[] = [];

beforeAll(async () => {
  service = await startService({streaming: {pulse: 100}});
});

afterAll(() => service.close());

beforeEach(async () => {
  workspace = await service.addWorkspace();
});

afterEach(() => {
  for (const client of open.splice(0)) client.cut();
});

async function follow(options: Partial<EventStreamOptions> = {}): Promise<EventStreamClient> {
  const client = await openEvents(service.url, {token: workspace.token, path, ...options});
  open.push(client);
  return client;
}

const post = (update: string, token = workspace.token) =>
  workspace.request('POST', '/v1/standups', {token, body: {team: 'platform', update}});

const changes = ({events}: EventStreamClient): Json[] => events.map(({data}) => JSON.parse(data));
const types = (client: EventStreamClient) => changes(client).map(({type}) => type);
const lastEvent = async (): Promise<Json> => (await eventsOf(workspace)).at(-1);

/** Waits until a client has received or skipped everything that has happened. */
const hasPassed = async (client: EventStreamClient) => {
  const {id} = await lastEvent();
  await until(() => client.lastId() === id, {what: 'the client has passed the last event'});
};

it('a change is sent immediately and only once, with its type, owner and team, and without any text', async () => {
  const ada = await addPerson(service, workspace, {team: 'platform'});
  const client = await follow({token: ada.token});
  await until(() => client.lastId());
  const {body: standup} = await post('Nobody reads this in a stream.', ada.token);
  const blocker = await make(workspace, '/v1/blockers', {team: 'platform', text: 'Nor that.'});
  await workspace.request('DELETE', `/v1/teams/platform/members/${ada.id}`);
  await hasPassed(client);
  const [removal] = (await eventsOf(workspace)).slice(-1);
  const own = {team_id: workspace.team, member_id: ada.id};
  const received = changes(client).filter(({type}) => type !== 'team.member_updated');
  expect(received).toEqual([
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
      sequence: removal.sequence,
      type: 'team.member_removed',
      object: 'team_member',
      id: removal.data.id,
      date: null,
    },
  ]);
  expect(client.events.map(({data}) => data).join()).not.toMatch(/Nobody|Nor that|Ada/);
  expect(client.events.at(-1)).toMatchObject({id: removal.id, event: 'team.member_removed'});
  expect(client.headers).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-store, no-transform',
  });
});

it('a reminder says only to the members who are reminded that it is for them', async () => {
  await workspace.request('PATCH', '/v1/teams/platform', {body: {prompt_at: 'opening'}});
  const ada = await addPerson(service, workspace, {team: 'platform'});
  const lin = await addPerson(service, workspace, {team: 'platform', as: 'observer'});
  const clients = await Promise.all([ada, lin].map(({token}) => follow({token})));
  await Promise.all(clients.map((client) => until(() => client.lastId())));
  await workspace.request('POST', '/v1/teams/platform/runs', {body: {minutes: 60}});
  const reminders = (client: EventStreamClient) =>
    changes(client).filter(({type}) => type === 'run.reminded');
  for (const client of clients) await until(() => reminders(client).length === 1 || undefined);
  const [own, other] = clients.map((client) => reminders(client)[0]);
  expect(own).toEqual({...other, for_me: true});
  expect(other).not.toHaveProperty('for_me');
});

describe('a change that the caller may not read', () => {
  it('is left out by scope, so that a token without any scope gets nothing', async () => {
    const tokenOf = async (name: string, scopes: readonly Scope[]) =>
      follow({token: (await workspace.addToken({name, scopes})).value});
    const none = await tokenOf('none', []);
    const standups = await tokenOf('standups', ['standups:read']);
    const people = await tokenOf('people', ['members:read', 'teams:read']);
    await until(() => [none, standups, people].every((client) => client.lastId()));
    const before = (await eventsOf(workspace)).length;
    await post('One.');
    await make(workspace, '/v1/teams', {slug: 'new'});
    await make(workspace, '/v1/members', {name: 'Grace'});
    await make(workspace, '/v1/tokens', {name: 'mine'});
    await make(workspace, '/v1/webhooks', {url: 'https://a.example/x', events: ['*'], enabled: false});
    await workspace.request('PATCH', '/v1/workspace', {body: {name: 'Renamed'}});
    for (const client of [none, standups, people]) await hasPassed(client);
    expect(types(none)).toEqual([]);
    expect(types(standups)).toEqual(['standup.created']);
    // The tokens of the clients above were made one after another.
    expect(types(people)).toEqual(['team.created', 'member.joined']);
    expect(before).toBeGreaterThan(0);
  });

  it('is left out by role: a member gets their own tokens only, and no webhooks, unless they manage the workspace', async () => {
    const ada = await addPerson(service, workspace);
    const client = await follow({token: ada.token, query: '?types=token.*,webhook.*'});
    await until(() => client.lastId());
    const act = async () => {
      await make(workspace, '/v1/tokens', {name: 'of a program'});
      await make(workspace, '/v1/webhooks', {url: 'https://a.example/x', events: ['*'], enabled: false});
    };
    await act();
    await workspace.request('POST', '/v1/tokens', {token: ada.token, body: {name: 'own'}});
    await hasPassed(client);
    expect(changes(client)).toMatchObject([{type: 'token.created', member_id: ada.id}]);

    await workspace.request('PATCH', `/v1/members/${ada.id}`, {body: {role: 'admin'}});
    // The client's role is read again after a moment.
    await until(
      async () => {
        await make(workspace, '/v1/tokens', {name: 'again'});
        await hasPassed(client);
        return client.events.length > 1;
      },
      {what: 'the new role counts'},
    );
    const heard = client.events.length;
    await act();
    await hasPassed(client);
    expect(types(client).slice(heard)).toEqual(['token.created', 'webhook.created']);
  });
});

it('a client that reconnects with the last id misses nothing and gets nothing twice', async () => {
  const client = await follow({query: '?types=standup.*'});
  await until(() => client.lastId());
  await post('A');
  await until(() => client.events.length === 1);
  client.cut();
  await client.ended;
  await post('B');
  const back = await follow({query: '?types=standup.*', lastEventId: client.lastId()});
  await post('C');
  await until(() => back.events.length === 2);
  const all = (await eventsOf(workspace)).filter(({type}) => type === 'standup.created');
  expect([...changes(client), ...changes(back)].map(({id}) => id)).toEqual(all.map(({data}) => data.id));
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
  const client = await follow({lastEventId: first.id, query: '?types=standup.created'});
  await until(() => client.events.length === 1);
  expect(changes(client)[0]).toMatchObject({object: 'standup', id: null, date: null, member_id: null});
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

  it('is refused if the principal has as many streams as allowed, of changes and events together', async () => {
    for (let i = 0; i < limits.streamsPerPrincipal; i += 1)
      await follow(i % 2 === 0 ? {} : {path: '/v1/events/stream'});
    expectProblem(await stream(), 'limit_reached');
    open[0]?.cut();
    await until(async () => (await stream()).status === 200, {what: 'a seat that is free again'});
  });
});

it('a stream sends keep-alives while nothing happens, and ends when its token does', async () => {
  const {value, id} = await workspace.addToken({name: 'short'});
  const client = await follow({token: value, query: '?types=standup.*'});
  await until(() => client.comments.length >= 3);
  await service.core.services.tokens.revokeToken(workspace.operator(), id);
  expect(await client.ended).toBe('end');
  expect(client.comments.at(-1)).toMatch(/revoked/);
  expect(client.events).toEqual([]);
});
