import {afterAll, afterEach, beforeAll, beforeEach, expect, it} from '@jest/globals';
import type {RedisCommand} from '../../src/store/core/connection.js';
import {limits} from '../../src/domain/core/limits.js';
import {createCatchUpPerformer} from '../../src/jobs/catch-up.js';
import {workspaceKeys} from '../../src/store/core/keys.js';
import {deep} from '../support/deep.js';
import {startReceiver, type Receiver} from '../support/receiver.js';
import {
  type Json,
  type ServiceOptions,
  startService,
  type TestService,
  type TestWorkspace,
} from '../support/service.js';
import {testRedisUrl} from '../support/redis-server.js';
import {until} from '../support/until.js';
import {
  addWebhook,
  createCleanUps,
  fanOutOnce,
  type JobWebhook,
  postStandups,
  removeWebhooks,
  newDeadline,
  startWorker,
  createJobContext,
} from './stage.js';

const cleanUps = createCleanUps();
let service: TestService;
let workspace: TestWorkspace;
let receiver: Receiver;

/** A service shared by the tests that need none of their own. */
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

async function start(options: ServiceOptions = {}): Promise<void> {
  const own = await startService(options);
  cleanUps.add(() => own.close());
  service = own;
  workspace = await service.addWorkspace();
}

afterEach(() => cleanUps.run());

/** Leaves room for `room` deliveries by adding other deliveries that are never due. */
async function leaveRoom(hook: JobWebhook, room: number): Promise<void> {
  const members = Array.from({length: limits.pendingPerWebhook - room}, (_, i) => [
    '9000000000000',
    `full${i}`,
  ]);
  await call('ZADD', pendingOf(hook), ...members.flat());
}

async function makeRoom(hook: JobWebhook): Promise<void> {
  await call('ZREMRANGEBYSCORE', pendingOf(hook), '9000000000000', '+inf');
  // Makes the webhook's deliveries due, as the slice that ends the last of them would.
  await call('ZADD', workspaceKeys(workspace.id).ready(), '0', `deliver/${hook.suffix}`);
}

function call<T extends string | number | null | string[]>(...args: RedisCommand): Promise<T> {
  return service.core.store.connection.call<T>(newDeadline(), args);
}

function pendingOf({suffix}: JobWebhook): string {
  return workspaceKeys(workspace.id).pending(suffix);
}

async function healthOf({id}: JobWebhook): Promise<Json> {
  return (await workspace.request('GET', `/v1/webhooks/${id}/health`)).body;
}

function behindOf(hook: JobWebhook): Promise<number> {
  return healthOf(hook).then(({backlog}) => Number(backlog.behind));
}

async function post(update: string): Promise<void> {
  const call = {...workspace.operator(), principal: workspace.principal};
  await service.core.services.standups.postStandup(call, {team: 'platform', update, source: 'api'});
}

async function patch({id}: JobWebhook, body: object): Promise<void> {
  expect((await workspace.request('PATCH', `/v1/webhooks/${id}`, {body})).status).toBe(200);
}

/** Waits until fan-out has handled all events. */
async function fannedOut(): Promise<void> {
  const {events} = service.core.store;
  await until(async () => {
    const newest = (await events.span(workspace.id, newDeadline()))?.newest;
    return (await events.findCursor(workspace.id, 'webhooks', newDeadline())) === newest;
  });
}

function updates(): string[] {
  return receiver.received.map(({body}) => String(JSON.parse(body.toString()).data.update));
}

function numbers(): string[] {
  return receiver.received.map(({headers}) => String(headers['standup-sequence']));
}

const counted = (count: number) => Array.from({length: count}, (_, i) => String(i + 1));

/** Number of events: more than one step handles, and in `npm run test:deep` more than one read returns. */
const many = deep ? 300 : 130;

it('regression: a webhook with 10,000 waiting deliveries falls behind in the log and catches up by itself, in order', async () => {
  const hook = await addWebhook(workspace, receiver, {concurrency: 1});
  let answer: (status: number) => void = () => undefined;
  const answered = new Promise<number>((resolve) => (answer = resolve));
  receiver.respondWith(() => answered);
  await leaveRoom(hook, 2);
  const posted = counted(many).map((n) => `Update ${n}`);
  for (const update of posted) await post(update);
  await fannedOut();
  expect(await behindOf(hook)).toBeGreaterThan(0);
  answer(204);
  await makeRoom(hook);
  await receiver.waitFor(many, 20_000);
  expect(updates()).toEqual(posted);
  expect(numbers()).toEqual(counted(many));
  await until(async () => (await behindOf(hook)) === 0);
  expect((await healthOf(hook)).missed).toEqual({events: 0, since: null});
});

it('regression: a webhook that catches up keeps the order of its events, whatever their sequence numbers', async () => {
  const hook = await addWebhook(workspace, receiver, {concurrency: 1});
  await leaveRoom(hook, 0);
  await fannedOut();
  const cursors = ['sequence', 'cursor:webhooks', 'cursor:slack'].flatMap((field) => [field, '511990']);
  await call('HSET', workspaceKeys(workspace.id).head(), ...cursors);
  const posted = counted(20).map((n) => `Update ${n}`);
  for (const update of posted) await post(update);
  await fannedOut();
  await makeRoom(hook);
  await receiver.waitFor(20);
  expect(updates()).toEqual(posted);
});

it.each(['none', '99'])(
  'regression: a webhook whose earlier settings are unknown (revision %p) uses its current ones, and loses no event',
  async (revision) => {
    const hook = await addWebhook(workspace, receiver, {concurrency: 1});
    await leaveRoom(hook, 0);
    const posted = counted(3).map((n) => `Update ${n}`);
    for (const update of posted) await post(update);
    await fannedOut();
    await call('HSET', workspaceKeys(workspace.id).webhookState(hook.suffix), 'behind', revision);
    await makeRoom(hook);
    await receiver.waitFor(3);
    expect(updates()).toEqual(posted);
  },
);

it('regression: catch-up skips old events, but not one among them whose time is later because the clock was ahead', async () => {
  const hook = await addWebhook(workspace, receiver, {concurrency: 1});
  await leaveRoom(hook, 0);
  const posted = counted(3).map((n) => `Update ${n}`);
  for (const update of posted) await post(update);
  await fannedOut();
  const {store} = service.core;
  let [newest, ahead] = [0, 0];
  const listAfter: typeof store.events.listAfter = async (...asked) => {
    const found = await store.events.listAfter(...asked);
    const standups = found.filter(({type}) => type === 'standup.created');
    newest = Math.max(newest, ...found.map(({at}) => at));
    if (standups.length === 3) ahead = standups[1]?.sequence ?? 0;
    return found.map((entry) => (entry.sequence === ahead ? {...entry, at: entry.at + 3_600_000} : entry));
  };
  const later = {
    ...store,
    events: {...store.events, listAfter},
    retention: {...store.retention, events: 60},
    clock: {...store.clock, now: () => newest + 60_000, isSteady: () => true},
  };
  const catchUp = createCatchUpPerformer(createJobContext(service, {store: later}), () => undefined);
  const work = {kind: 'catch-up', webhook: hook.suffix} as const;
  const signal = new AbortController().signal;
  await catchUp({workspace: workspace.id, work, until: newDeadline(), signal});
  expect((await healthOf(hook)).missed.events).toBe(1);
  expect(await behindOf(hook)).toBe(2);
});

it('a webhook that has fallen behind delays no other one, and joins the others once it has caught up', async () => {
  const other = await startReceiver();
  cleanUps.add(() => other.close());
  const hook = await addWebhook(workspace, receiver, {concurrency: 1});
  await addWebhook(workspace, other);
  await leaveRoom(hook, 0);
  await postStandups(workspace, 5);
  await other.waitFor(5);
  expect(receiver.received).toEqual([]);
  await makeRoom(hook);
  await receiver.waitFor(5);
  await until(async () => (await behindOf(hook)) === 0);
  await postStandups(workspace, 1);
  await receiver.waitFor(6);
  expect(numbers()).toEqual(counted(6));
});

it('catch-up omits events from while the webhook was disabled, and uses the settings at the time of each event', async () => {
  const hook = await addWebhook(workspace, receiver, {concurrency: 1});
  await leaveRoom(hook, 0);
  await post('wanted');
  // The webhook has fallen behind, so the settings at the time of each event decide about that event.
  await fannedOut();
  await patch(hook, {enabled: false});
  await post('while disabled');
  await fannedOut();
  await patch(hook, {enabled: true, events: ['standup.deleted']});
  await post('not asked for');
  await fannedOut();
  await patch(hook, {events: ['standup.*']});
  await post('wanted again');
  await fannedOut();
  await makeRoom(hook);
  await receiver.waitFor(2);
  await until(async () => (await behindOf(hook)) === 0);
  expect(updates()).toEqual(['wanted', 'wanted again']);
});

it.each([
  ['disabled', {enabled: false}, {enabled: true}],
  ['subscribed to another type', {events: ['team.deleted']}, {events: ['standup.*']}],
])(
  'regression: an event from before a webhook was %s is delivered to it, even if fan-out comes later',
  async (_, change, back) => {
    await start({env: {ROLES: 'web'}});
    const hook = await addWebhook(workspace, receiver);
    await fanOutOnce(service, workspace);
    await post('before');
    await patch(hook, change);
    await post('meanwhile');
    await patch(hook, back);
    await post('after');
    const worker = await startWorker(service, {queueUrl: await testRedisUrl()});
    cleanUps.add(() => worker.close());
    await receiver.waitFor(2);
    await until(async () => (await behindOf(hook)) === 0);
    expect(updates()).toEqual(['before', 'after']);
  },
);

it('a webhook that has fallen behind continues after a restart', async () => {
  await start();
  const hook = await addWebhook(workspace, receiver, {concurrency: 1});
  await leaveRoom(hook, 1);
  await postStandups(workspace, 3);
  await fannedOut();
  await receiver.waitFor(1);
  await service.close();
  service = await startService({redisUrl: service.redisUrl});
  cleanUps.add(() => service.close());
  await makeRoom(hook);
  await receiver.waitFor(3);
  expect(numbers()).toEqual(counted(3));
});

it('an event that the log drops before the webhook has room counts as missed, and does not stop trimming', async () => {
  await start({retention: {events: 2, delivery: 1}, upkeepMs: 200});
  // Removes the log consumer for Slack, whose cursor would keep the log from being trimmed.
  await service.core.store.events.removeIdleConsumer(workspace.id, 'slack', 0, newDeadline());
  const hook = await addWebhook(workspace, receiver, {concurrency: 1});
  await leaveRoom(hook, 0);
  await postStandups(workspace, 3);
  await until(async () => (await healthOf(hook)).missed.events === 3);
  expect((await healthOf(hook)).missed.since).toEqual(expect.any(String));
  await until(async () => {
    const span = await service.core.store.events.span(workspace.id, newDeadline());
    return span !== undefined && span.oldest > span.newest - 2;
  });
});

it('a webhook whose record of having fallen behind is unreadable uses its current settings, and misses no event', async () => {
  const hook = await addWebhook(workspace, receiver, {concurrency: 1});
  await leaveRoom(hook, 0);
  await postStandups(workspace, 3);
  await fannedOut();
  await call('HSET', workspaceKeys(workspace.id).webhookState(hook.suffix), 'behind', 'nonsense');
  await makeRoom(hook);
  // The slice drops the unreadable record. Then only the cursor shows that the webhook has fallen behind.
  await call('ZADD', workspaceKeys(workspace.id).ready(), '0', `catch-up/${hook.suffix}`);
  expect(await receiver.waitFor(3)).toHaveLength(3);
});

it('regression: no event expires for a webhook that has fallen behind because the clock leaps ahead', async () => {
  await start({env: {ROLES: 'web'}});
  const {store} = service.core;
  const hook = await addWebhook(workspace, receiver);
  await leaveRoom(hook, 0);
  await postStandups(workspace, 2);
  await fanOutOnce(service, workspace);
  await makeRoom(hook);
  const now = () => Date.now() + 2_000 * store.retention.events;
  const later = {...store, clock: {...store.clock, now, isSteady: () => false}};
  const catchUp = createCatchUpPerformer(createJobContext(service, {store: later}), () => undefined);
  const work = {kind: 'catch-up', webhook: hook.suffix} as const;
  await catchUp({workspace: workspace.id, work, until: newDeadline(), signal: new AbortController().signal});
  expect(await behindOf(hook)).toBe(0);
  expect((await healthOf(hook)).missed).toEqual({events: 0, since: null});
  expect(await call<number>('ZCARD', pendingOf(hook))).toBe(2);
});

it('a webhook that is deleted after it has fallen behind does not stop the log from being trimmed', async () => {
  const hook = await addWebhook(workspace, receiver, {concurrency: 1});
  await leaveRoom(hook, 0);
  await postStandups(workspace, 3);
  await fannedOut();
  const head = workspaceKeys(workspace.id).head();
  expect(await call<string[]>('HKEYS', head)).toContain(`cursor:webhook/${hook.suffix}`);
  expect((await workspace.request('DELETE', `/v1/webhooks/${hook.id}`)).status).toBe(204);
  expect(await call<string[]>('HKEYS', head)).not.toContain(`cursor:webhook/${hook.suffix}`);
});
