import {afterEach, beforeEach, expect, it} from '@jest/globals';
import {workName} from '../../src/domain/core/work.js';
import {workspaceKeys} from '../../src/store/core/keys.js';
import {expectProblem} from '../api/http/expect-problem.js';
import {addPerson} from '../api/people.js';
import {eventsOf} from '../api/samples.js';
import {fillRedis, removeMemoryLimit} from '../support/full-redis.js';
import {type Receiver, startReceiver} from '../support/receiver.js';
import {startTestRedis, type TestRedis, testRedisUrl} from '../support/redis-server.js';
import {
  sendRequest,
  type ServiceOptions,
  startService,
  type TestResponse,
  type TestService,
  type TestWorkspace,
} from '../support/service.js';
import {createTestClock} from '../support/test-clock.js';
import {until} from '../support/until.js';
import {addWebhook, createCleanUps, deliveriesOf, deliveryIn, postStandups, newDeadline} from './stage.js';
import type {IdSuffix} from '../../src/domain/core/ids.js';
import {asSuffix} from '../support/ids.js';

const cleanUps = createCleanUps();
let redis: TestRedis;
let service: TestService;
let workspace: TestWorkspace;
let receiver: Receiver;

beforeEach(async () => {
  redis = await startTestRedis({appendfsync: 'no'});
  cleanUps.add(() => redis.stop());
  receiver = await startReceiver();
  cleanUps.add(() => receiver.close());
  cleanUps.add(() => removeMemoryLimit(redis));
});

/**
 * Starts a service whose queue is on another server. On a full server the queue's pauses would outlast the
 * test.
 */
async function start(env: Record<string, string> = {}, more: ServiceOptions = {}): Promise<void> {
  const queue = {QUEUE_REDIS_URL: await testRedisUrl()};
  const options = {redisUrl: redis.url, upkeepMs: 200, env: {...queue, ...env}};
  const started = await startService({...options, ...more});
  service = started;
  cleanUps.add(() => started.close());
}

async function startWithWorkspace(env: Record<string, string> = {}): Promise<void> {
  await start(env);
  workspace = await service.addWorkspace();
}

afterEach(() => cleanUps.run());

function post(update = 'When it is full.', options: {date?: string; token?: string} = {}) {
  const {date, token = workspace.token} = options;
  const body = {team: 'platform', update, ...(date !== undefined && {date})};
  return workspace.request('POST', '/v1/standups', {token, body});
}

const readiness = () => sendRequest(service.url, 'GET', '/readyz');

function allSucceeded(
  hook: {id: IdSuffix<'webhook'>; suffix: IdSuffix<'webhook'>; secret: string},
  count: number,
): Promise<boolean> {
  return until(
    async () => {
      const states = (await deliveriesOf(workspace, hook)).map(({state}) => state as string);
      return states.length === count && states.every((state) => state === 'succeeded');
    },
    {what: `${count} deliveries have succeeded`},
  );
}

it('regression: deliveries are retried while the store is full, and receivers are notified of deletions', async () => {
  await startWithWorkspace({QUEUE_REDIS_URL: redis.url});
  const hook = await addWebhook(workspace, receiver, {retry_schedule: [1, 1, 1]});
  receiver.respondWith(500);
  await postStandups(workspace);
  await receiver.waitFor(1);
  await fillRedis(redis, {forGood: true});
  expectProblem(await post(), 'storage_full');
  receiver.respondWith(204);
  await allSucceeded(hook, 1);
  const {body} = await workspace.request('GET', '/v1/standups');
  expect((await workspace.request('DELETE', `/v1/standups/${body.data[0].id}`)).status).toBe(204);
  await allSucceeded(hook, 2);
  expect(receiver.received.map(({body: sent}) => JSON.parse(sent.toString()).type)).toEqual([
    'standup.created',
    'standup.created',
    'standup.deleted',
  ]);
});

it('regression: a full store accepts standups again after a shorter retention has made room', async () => {
  await startWithWorkspace();
  const date = new Date(Date.now() - 100 * 24 * 3_600_000).toISOString().slice(0, 10);
  for (let i = 0; i < 100; i += 1) {
    // Each standup needs 16 KB.
    expect((await post(`${i} ${'\u{1f4a1}'.repeat(3_900)}`, {date})).status).toBe(201);
  }
  await fillRedis(redis);
  expectProblem(await post(), 'storage_full');
  const ready = await readiness();
  expect([ready.status, ready.body.store]).toEqual([200, 'full']);
  const more = await workspace.request('PATCH', '/v1/workspace', {body: {name: 'Another name'}});
  expectProblem(more, 'storage_full');
  // A shorter retention makes room in the store.
  const kept = await workspace.request('PATCH', '/v1/workspace', {body: {retention_days: 30}});
  expect(kept.status).toBe(200);
  await until(async () => (await post()).status === 201, {what: 'there is room again', everyMs: 100});
  await until(async () => (await readiness()).body.store === 'ok', {what: '/readyz says so', everyMs: 100});
});

it('regression: the erasure of a member is completed while the store is full, however many events mention them', async () => {
  await startWithWorkspace();
  const ada = await addPerson(service, workspace, {name: 'Ada', team: 'platform'});
  for (let i = 0; i < 60; i += 1) {
    const {body} = await post(`${i}`, {token: ada.token});
    expect((await workspace.request('DELETE', `/v1/standups/${body.id}`)).status).toBe(204);
  }
  await fillRedis(redis, {forGood: true});
  const {status, headers} = await workspace.request('DELETE', `/v1/members/${ada.id}?erase=true`);
  expect(status).toBe(204);
  const erasure = asSuffix<'erasure'>(headers.get('location')?.slice(-16) ?? '');
  const work = workName({kind: 'forget-member', member: ada.id, erase: true, erasure});
  const score = ['ZSCORE', workspaceKeys(workspace.id).ready(), work] as const;
  await until(async () => (await service.core.store.connection.call(newDeadline(), score)) === null, {
    what: 'the erasure is done',
  });
  const events = (await eventsOf(workspace)).filter(({type}) => type.startsWith('standup.'));
  expect(events).toHaveLength(120);
  for (const {data} of events) expect(data).toBeNull();
});

it('regression: a webhook that fails for days causes a warning and is then disabled even while the store is full', async () => {
  await startWithWorkspace();
  const hook = await addWebhook(workspace, receiver, {retry_schedule: [1, 1, 1]});
  const state = workspaceKeys(workspace.id).webhookState(hook.suffix);
  const day = 24 * 3_600_000;
  const {connection} = service.core.store;
  receiver.respondWith(500);
  await connection.call(newDeadline(), [
    'HSET',
    state,
    'failing',
    String(Date.now() - 3 * day),
    'failed',
    '20',
  ]);
  await postStandups(workspace);
  await receiver.waitFor(1);
  await fillRedis(redis, {forGood: true});
  const typesOf = async () => (await eventsOf(workspace)).map(({type}) => type as string);
  await until(async () => (await typesOf()).includes('webhook.failing'), {what: 'it is reported'});
  const scripted = `return redis.call('HSET', KEYS[1], 'failing', ARGV[1])`;
  const eval_ = [
    'EVAL',
    `#!lua flags=allow-oom\n${scripted}`,
    '1',
    state,
    String(Date.now() - 6 * day),
  ] as const;
  await connection.call(newDeadline(), eval_);
  await until(async () => (await typesOf()).includes('webhook.disabled'), {what: 'it is switched off'});
});

it('regression: a process can start while the store is full, and continues the work of the previous one', async () => {
  await startWithWorkspace();
  const hook = await addWebhook(workspace, receiver, {retry_schedule: [1, 1, 1]});
  receiver.respondWith(500);
  await postStandups(workspace);
  await receiver.waitFor(1);
  await service.close();
  await fillRedis(redis, {forGood: true});
  receiver.respondWith(204);
  await start();
  const answer = (path: string): Promise<TestResponse> =>
    sendRequest(service.url, 'GET', path, {token: workspace.token});
  workspace = {...workspace, request: (_, path) => answer(path)};
  expect((await deliveryIn(workspace, hook, 'succeeded')).attempts).toBe(2);
});

it('a run that is due while the store is full opens late, when there is room again, and delays nothing else', async () => {
  const clock = await createTestClock(redis.url, Date.parse('2026-11-23T07:59:00Z'));
  cleanUps.add(() => clock.close());
  await start({ROLES: 'web'}, {time: clock.time});
  workspace = await service.addWorkspace();
  const hook = await addWebhook(workspace, receiver, {events: ['run.opened', 'standup.*']});
  const schedule = {frequency: 'weekly', days: ['mon'], opens: '08:00', closes: '12:00'};
  const changed = await workspace.request('PATCH', '/v1/teams/platform', {body: {timezone: 'UTC', schedule}});
  expect(changed.status).toBe(200);
  const {body: standup} = await post('Before.');
  await clock.advance(30 * 60_000);
  await fillRedis(redis, {forGood: true});
  await start({ROLES: 'worker'}, {time: clock.time});
  await allSucceeded(hook, 1);
  expect((await workspace.request('DELETE', `/v1/standups/${standup.id}`)).status).toBe(204);
  await allSucceeded(hook, 2);
  await removeMemoryLimit(redis);
  await allSucceeded(hook, 3);
  const [opened] = (await eventsOf(workspace)).filter(({type}) => type === 'run.opened');
  expect(opened?.data).toMatchObject({
    opens_at: '2026-11-23T08:00:00.000Z',
    opened_at: '2026-11-23T08:29:00.000Z',
  });
});
