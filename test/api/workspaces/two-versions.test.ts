import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {afterAll, beforeAll, expect, it} from '@jest/globals';
import {isReadOnly} from '../../../src/api/http/route.js';
import type {EventType} from '../../../src/domain/events/event.js';
import {suffixOf} from '../../../src/domain/core/ids.js';
import type {RedisCommand} from '../../../src/store/core/connection.js';
import {workspaceKeys} from '../../../src/store/core/keys.js';
import {addWebhook, deliveriesOf} from '../../jobs/stage.js';
import {deep} from '../../support/deep.js';
import {openEvents} from '../../support/event-stream-client.js';
import {type Json, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {until} from '../../support/until.js';
import {addFixtures, make, routes, sampleOf} from '../samples.js';

// This version meets data of a newer one, which works on the same store during an upgrade.

/** It accepts everything. That of other tests refuses events that are not documented. */
const server = createServer((_, response) => response.writeHead(204).end());
let receiver: {readonly url: string};
/** Makes the data. */
let service: TestService;
/** Starts later, so that it has read nothing before the newer version has changed it. */
let other: TestService;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  receiver = {url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`};
  service = await startService();
  other = await startService({redisUrl: service.redisUrl});
});

afterAll(async () => {
  await other.close();
  await service.close();
  server.close();
  server.closeAllConnections();
});

const redisCall = (...command: RedisCommand): Promise<Json> =>
  service.core.store.connection.call<string | string[]>(performance.now() + 5_000, command);

/** Reads all records of a workspace, by their keys. */
async function readRecords({id}: TestWorkspace): Promise<Map<string, Json>> {
  const keys = (await redisCall('KEYS', `{${id}}:r:*`)) as string[];
  const found = new Map<string, Json>();
  for (const key of keys) {
    const json = await redisCall('GET', key);
    // Background work may have erased it meanwhile.
    if (json !== null) found.set(key, JSON.parse(json));
  }
  return found;
}

/** Gives each record, and each object in it, a property that only a newer version knows. */
async function addLaterProperty(workspace: TestWorkspace): Promise<void> {
  for (const [key, record] of await readRecords(workspace)) {
    const {revision, created_at, updated_at, ...draft} = record;
    for (const value of Object.values<Json>(draft)) if (value?.constructor === Object) value.later = 2;
    await redisCall('SET', key, JSON.stringify({...draft, later: 1, revision, created_at, updated_at}));
  }
}

const changing = routes.filter(({method}) => method === 'PATCH' || method === 'PUT');
const rest = routes.filter((route) => !isReadOnly(route) && !changing.includes(route));

it.each(deep ? [...changing, ...rest] : changing)(
  '$operation keeps the properties of a record that only a newer version knows',
  async (route) => {
    const workspace = await service.addWorkspace();
    const {
      path,
      body,
      token = workspace.token,
    } = sampleOf(route, await addFixtures(workspace, receiver.url, route));
    await addLaterProperty(workspace);
    const before = await readRecords(workspace);
    // The answer has the property, too, so it is not compared with the API document.
    const answer = await fetch(`${other.url}${path}`, {
      method: route.method,
      headers: {authorization: `Bearer ${token}`, ...(body && {'content-type': 'application/json'})},
      ...(body && {body: JSON.stringify(body)}),
    });
    expect([answer.status < 300, await answer.text()]).toEqual([true, expect.anything()]);
    const after = await readRecords(workspace);
    const revised = [...after].filter(
      ([key, {revision}]) => revision > (before.get(key)?.revision ?? revision),
    );
    expect(revised.filter(([, {later}]) => later !== 1)).toEqual([]);
    if (route.method === 'PATCH') expect(revised.length).toBeGreaterThan(0);
  },
);

it('a change of one setting of a member keeps what only a newer version knows beside it', async () => {
  const workspace = await service.addWorkspace();
  const {id} = await make(workspace, '/v1/members', {name: 'Ada'});
  await addLaterProperty(workspace);
  const body = {reminders: {enabled: false}, reports: {daily: true}, holidays: {country: null}};
  const answer = await fetch(`${other.url}/v1/members/${id}`, {
    method: 'PATCH',
    headers: {authorization: `Bearer ${workspace.token}`, 'content-type': 'application/json'},
    body: JSON.stringify(body),
  });
  expect(await answer.json()).toMatchObject({
    later: 1,
    reminders: {enabled: false, later: 2},
    reports: {daily: true, later: 2},
    holidays: {country: null, later: 2},
  });
});

it('work of a kind that only a newer version knows stays listed, and the other work is done', async () => {
  const workspace = await service.addWorkspace();
  const ready = workspaceKeys(workspace.id).ready();
  await redisCall('ZADD', ready, '1', 'fly/to-the-moon');
  const hook = await addWebhook(workspace, receiver);
  await make(workspace, '/v1/standups', {team: 'platform', update: 'Beside other work.'});
  await until(async () => (await deliveriesOf(workspace, hook))[0]?.state === 'succeeded');
  await until(async () => Number(await redisCall('ZCARD', ready)) === 1, {what: 'all known work is done'});
  expect(await redisCall('ZRANGE', ready, '0', '-1', 'WITHSCORES')).toEqual(['fly/to-the-moon', '1']);
});

it('an event of a type that only a newer version knows is passed on, and the events after it are not late', async () => {
  const workspace = await service.addWorkspace();
  const hook = await addWebhook(workspace, receiver, {events: ['*']});
  const stream = await openEvents(other.url, {token: workspace.token});
  const changes = await openEvents(other.url, {token: workspace.token, path: '/v1/changes/stream'});
  const first = await make(workspace, '/v1/standups', {team: 'platform', update: 'Before.'});
  await service.core.store.commits.run(
    {workspace: workspace.id, deadline: performance.now() + 5_000},
    {
      guards: [],
      writes: [],
      events: [{type: 'moon.landed' as EventType, about: suffixOf<'standup'>(first.id), revision: 1}],
      reply: {kind: 'empty'},
    },
  );
  const last = await make(workspace, '/v1/standups', {team: 'platform', update: 'After.'});
  const headers = {authorization: `Bearer ${workspace.token}`};
  const feed: Json = await (await fetch(`${other.url}/v1/events?limit=100`, {headers})).json();
  const types = feed.data.slice(-3).map(({type}: Json) => type);
  expect(types).toEqual(['standup.created', 'moon.landed', 'standup.created']);
  const filtered: Json = await (
    await fetch(`${other.url}/v1/events?types=standup.created`, {headers})
  ).json();
  expect(filtered.data.map(({data}: Json) => data.id)).toEqual([first.id, last.id]);
  await until(() => stream.events.some(({data}) => data.includes(last.id)), {what: 'the stream goes on'});
  await until(() => changes.events.some(({data}) => data.includes(last.id)), {what: 'the changes go on'});
  await until(
    async () => {
      const rows = await deliveriesOf(workspace, hook);
      return rows.length >= 2 && rows.every(({state}) => state === 'succeeded');
    },
    {what: 'the webhook has got the others'},
  );
  const sent = (await deliveriesOf(workspace, hook)).map(({event_type}) => event_type);
  expect(sent.filter((type) => type === 'standup.created')).toHaveLength(2);
  stream.cut();
  changes.cut();
});
