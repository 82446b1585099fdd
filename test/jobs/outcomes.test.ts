import {afterAll, afterEach, beforeAll, beforeEach, expect, it} from '@jest/globals';
import type {RedisCommand} from '../../src/store/core/connection.js';
import {type Receiver, startReceiver, verifyWebhook} from '../support/receiver.js';
import {startService, type TestService, type TestWorkspace} from '../support/service.js';
import {testRedisUrl} from '../support/redis-server.js';
import {workspaceKeys} from '../../src/store/core/keys.js';
import {createTestClock} from '../support/test-clock.js';
import {until} from '../support/until.js';
import {
  addWebhook,
  createCleanUps,
  deliveriesOf,
  deliveryIn,
  makeDue,
  postStandups,
  removeWebhooks,
  newDeadline,
  startWorker,
  waitOf,
} from './stage.js';
import {asSuffix} from '../support/ids.js';

const cleanUps = createCleanUps();
let workspace: TestWorkspace;
let receiver: Receiver;

let service: TestService;

beforeAll(async () => {
  service = await startService();
});

afterAll(() => service.close());

beforeEach(async () => {
  receiver = await startReceiver();
  cleanUps.add(() => receiver.close());
  workspace = await service.addWorkspace();
  cleanUps.add(() => removeWebhooks(workspace));
});

afterEach(() => cleanUps.run());

/** Starts a service without background work, one workspace, and a worker that the test controls. */
async function startByHand(
  options: {timeoutMs?: number} = {},
  more: Parameters<typeof startService>[0] = {},
) {
  const web = await startService({env: {ROLES: 'web'}, ...more});
  cleanUps.add(() => web.close());
  const worker = await startWorker(web, {queueUrl: await testRedisUrl(), ...options});
  cleanUps.add(() => worker.close());
  return {web, worker, own: await web.addWorkspace()};
}

it('a failed delivery waits about 5 s for its second attempt', async () => {
  receiver.respondWith(500);
  const hook = await addWebhook(workspace, receiver);
  await postStandups(workspace);
  const delivery = await deliveryIn(workspace, hook, 'retrying');
  expect(delivery).toMatchObject({attempts: 1, last_attempt: {number: 1, status: 500, error: 'status'}});
  expect(waitOf(delivery)).toBeGreaterThanOrEqual(4_000);
  expect(waitOf(delivery)).toBeLessThan(6_500);
});

it.each([429, 502, 503, 504])('a delivery answered %i is retried after at least a minute', async (status) => {
  receiver.respondWith(status);
  const hook = await addWebhook(workspace, receiver);
  await postStandups(workspace);
  const wait = waitOf(await deliveryIn(workspace, hook, 'retrying'));
  expect(wait).toBeGreaterThanOrEqual(60_000);
  expect(wait).toBeLessThan(73_000);
});

it('Retry-After delays a retry if it is longer than the scheduled wait', async () => {
  receiver.respondWith({status: 503, headers: {'retry-after': '600'}});
  const hook = await addWebhook(workspace, receiver);
  await postStandups(workspace);
  const wait = waitOf(await deliveryIn(workspace, hook, 'retrying'));
  expect(wait).toBeGreaterThanOrEqual(600_000);
  expect(wait).toBeLessThan(601_000);
});

it('Retry-After never makes a retry earlier than scheduled', async () => {
  receiver.respondWith({status: 500, headers: {'retry-after': '1'}});
  const hook = await addWebhook(workspace, receiver);
  await postStandups(workspace);
  expect(waitOf(await deliveryIn(workspace, hook, 'retrying'))).toBeGreaterThanOrEqual(4_000);
});

it('a redirect counts as a failure and is not followed', async () => {
  const elsewhere = await startReceiver();
  cleanUps.add(() => elsewhere.close());
  receiver.respondWith({status: 307, headers: {location: elsewhere.url}});
  const hook = await addWebhook(workspace, receiver);
  await postStandups(workspace);
  const delivery = await deliveryIn(workspace, hook, 'retrying');
  expect(delivery.last_attempt).toMatchObject({status: 307, error: 'status'});
  expect(elsewhere.connections()).toBe(0);
});

it('an answer 410 ends the delivery and disables the webhook, and other webhooks get an event about that', async () => {
  receiver.respondWith(410);
  const other = await startReceiver();
  cleanUps.add(() => other.close());
  const observer = await addWebhook(workspace, other, {events: ['webhook.disabled']});
  const hook = await addWebhook(workspace, receiver, {events: ['standup.*', 'webhook.disabled']});
  await postStandups(workspace);
  const [delivery] = await other.waitFor(1);
  if (delivery === undefined) throw new Error('nothing came');
  expect(verifyWebhook(delivery, observer.secret)).toMatchObject({
    type: 'webhook.disabled',
    data: {id: hook.id, enabled: false, disabled_reason: 'gone'},
    previous_attributes: {enabled: true, disabled_reason: null},
  });
  await deliveryIn(workspace, hook, 'aborted', 1);
  await postStandups(workspace);
  const {body} = await workspace.request('GET', `/v1/webhooks/${hook.id}`);
  expect(body).toMatchObject({enabled: false, disabled_reason: 'gone'});
  expect(receiver.received).toHaveLength(1);
});

it('an answer 410 from a former address of a webhook does not change the webhook', async () => {
  const elsewhere = await startReceiver();
  cleanUps.add(() => elsewhere.close());
  let answer: (status: number) => void = () => undefined;
  receiver.respondWith(() => new Promise((resolve) => (answer = resolve)));
  const hook = await addWebhook(workspace, receiver);
  await postStandups(workspace);
  await receiver.waitFor(1);
  await workspace.request('PATCH', `/v1/webhooks/${hook.id}`, {body: {url: elsewhere.url}});
  answer(410);
  await deliveryIn(workspace, hook, 'aborted');
  const {body} = await workspace.request('GET', `/v1/webhooks/${hook.id}`);
  expect(body).toMatchObject({enabled: true, url: elsewhere.url});
});

it.each([
  [200, 'succeeded'],
  [500, 'aborted'],
])(
  'a response %s with the header `webhook-delivery: disable` disables the webhook, and the delivery ends as %s',
  async (status, state) => {
    receiver.respondWith({status, headers: {'webhook-delivery': 'disable'}});
    const hook = await addWebhook(workspace, receiver);
    await postStandups(workspace);
    await deliveryIn(workspace, hook, state);
    const {body} = await workspace.request('GET', `/v1/webhooks/${hook.id}`);
    expect(body).toMatchObject({enabled: false, disabled_reason: 'gone'});
  },
);

it('the response header webhook-delivery: abort ends only that delivery', async () => {
  receiver.respondWith(({headers}) =>
    headers['standup-attempt'] === '1' && receiver.received.length === 1
      ? {status: 500, headers: {'webhook-delivery': 'abort'}}
      : 204,
  );
  const hook = await addWebhook(workspace, receiver);
  await postStandups(workspace);
  const aborted = await deliveryIn(workspace, hook, 'aborted', 1);
  await postStandups(workspace);
  const [next, first] = await until(async () => {
    const both = await deliveriesOf(workspace, hook);
    return both[0]?.state === 'succeeded' ? both : undefined;
  });
  expect(next.id).not.toBe(aborted.id);
  expect(first).toEqual(aborted);
});

it('a delivery can be repeated, as one more attempt with the same event id', async () => {
  receiver.respondWith({status: 500, headers: {'webhook-delivery': 'abort'}});
  const hook = await addWebhook(workspace, receiver);
  await postStandups(workspace);
  const {id} = await deliveryIn(workspace, hook, 'aborted', 1);
  receiver.respondWith(204);
  const again = await workspace.request('POST', `/v1/deliveries/${id}/redeliver`);
  expect(again.status).toBe(202);
  expect(again.body).toMatchObject({id, state: 'pending'});
  expect(await deliveryIn(workspace, hook, 'succeeded', 2)).toMatchObject({id});
  const [first, second] = receiver.received;
  expect(second?.id).toBe(first?.id);
  expect(second?.body.equals(first?.body ?? Buffer.of())).toBe(true);
  expect(second?.headers['standup-attempt']).toBe('2');
  expect(await deliveriesOf(workspace, hook)).toHaveLength(1);
});

it('a delivery that succeeded at once is stored in a block with others, and shown and repeated like any other', async () => {
  const {web, worker, own} = await startByHand();
  const hook = await addWebhook(own, receiver);
  await postStandups(own, 3);
  worker.wake(own.id, {kind: 'fan-out'});
  await receiver.waitFor(3);
  await until(async () => (await deliveriesOf(own, hook)).every(({state}) => state === 'succeeded'));
  const [shown] = await deliveriesOf(own, hook);
  const keys = workspaceKeys(own.id);
  const suffix = asSuffix<'delivery'>(String(shown?.id).slice(-16));
  const block = keys.deliveryBlock(hook.suffix, suffix.slice(8, 15));
  const call = <T>(...args: RedisCommand) =>
    web.core.store.connection.call(newDeadline(), args) as Promise<T>;
  expect(await call('EXISTS', keys.delivery(suffix))).toBe(0);
  expect(await call('HLEN', block)).toBe(3);
  expect(await call('TTL', block)).toBeGreaterThan(29 * 86_400);

  expect((await own.request('GET', `/v1/deliveries/${shown?.id}`)).body).toEqual(shown);
  expect(shown).toMatchObject({attempts: 1, last_attempt: {number: 1, status: 204, error: null}});
  const attempts = async () => (await own.request('GET', `/v1/deliveries/${shown?.id}/attempts`)).body.data;
  expect(await attempts()).toMatchObject([shown?.last_attempt]);

  await own.request('POST', `/v1/deliveries/${shown?.id}/redeliver`);
  worker.wake(own.id, {kind: 'deliver', webhook: hook.suffix});
  await until(async () => (await attempts()).length === 2);
  expect(await attempts()).toMatchObject([{number: 2}, shown?.last_attempt]);
  expect((await call<string[]>('HVALS', block)).filter((entry) => entry === '')).toHaveLength(1);
  expect(await call('TTL', keys.delivery(suffix))).toBeGreaterThan(29 * 86_400);
  const [, , , again] = receiver.received;
  expect(again?.headers).toMatchObject({'standup-attempt': '2', 'standup-sequence': '3'});
});

it('a delivery is exhausted after ten attempts', async () => {
  // Only one delivery fails, because a receiver that refuses everything would open the breaker.
  const refused = () => receiver.received.filter(({id}) => id === receiver.received[0]?.id);
  receiver.respondWith(({id}) => (id === receiver.received[0]?.id ? 500 : 204));
  const {web, worker, own} = await startByHand();
  const hook = await addWebhook(own, receiver);
  await postStandups(own);
  worker.wake(own.id, {kind: 'fan-out'});
  const firstIn = async (state: string, attempts: number) =>
    until(
      async () => {
        const delivery = (await deliveriesOf(own, hook)).at(-1);
        return delivery?.state === state && delivery.attempts === attempts ? delivery : undefined;
      },
      {what: `the first delivery is ${state}`},
    );
  for (let attempt = 1; attempt < 10; attempt++) {
    await firstIn('retrying', attempt);
    await postStandups(own, 2);
    worker.wake(own.id, {kind: 'fan-out'});
    await receiver.waitFor(3 * attempt);
    await makeDue(web, own, hook);
    worker.wake(own.id, {kind: 'deliver', webhook: hook.suffix});
  }
  const delivery = await firstIn('exhausted', 10);
  expect(delivery).toMatchObject({next_attempt_at: null, last_attempt: {number: 10, status: 500}});
  expect(refused().map(({headers}) => headers['standup-attempt'])).toEqual(
    Array.from({length: 10}, (_, i) => String(i + 1)),
  );
});

it('a delivery without an answer in time is retried after at least a minute', async () => {
  receiver.respondWith({failure: 'hang'});
  const {worker, own} = await startByHand({timeoutMs: 200});
  const hook = await addWebhook(own, receiver);
  await postStandups(own);
  worker.wake(own.id, {kind: 'fan-out'});
  const delivery = await deliveryIn(own, hook, 'retrying');
  expect(delivery.last_attempt).toMatchObject({status: null, error: 'timeout'});
  expect(waitOf(delivery)).toBeGreaterThanOrEqual(60_000);
});

it('a delivery that cannot be sent within the lifetime of its event expires without a request', async () => {
  const {worker, own} = await startByHand({}, {retention: {delivery: 0}});
  const hook = await addWebhook(own, receiver);
  await postStandups(own);
  worker.wake(own.id, {kind: 'fan-out'});
  await deliveryIn(own, hook, 'expired');
  expect(receiver.received).toHaveLength(0);
});

it('regression: the delivery of an unreadable event is retried later, and delays no other claimed with it', async () => {
  const {web, worker, own} = await startByHand();
  const hook = await addWebhook(own, receiver);
  await postStandups(own, 3);
  const {connection} = web.core.store;
  const key = workspaceKeys(own.id).events();
  const entries = await connection.call<[string, string[]][]>(newDeadline(), ['XRANGE', key, '-', '+']);
  const [broken] = entries.findLast(([, fields]) => fields.includes('standup.created')) ?? [''];
  await connection.call(newDeadline(), ['DEL', key]);
  for (const [id, fields] of entries) {
    const changed = fields.map((value, at) => (id === broken && fields[at - 1] === 'n' ? 'x' : value));
    await connection.call(newDeadline(), ['XADD', key, id, ...changed]);
  }
  worker.wake(own.id, {kind: 'fan-out'});
  await until(async () => {
    const keys = workspaceKeys(own.id);
    const pending = await connection.call<number>(newDeadline(), ['ZCARD', keys.pending(hook.suffix)]);
    return receiver.received.length === 2 && pending === 1;
  });
});

it('regression: a worker whose own clock is 16 days ahead uses the clock of the store for signatures and retries', async () => {
  const redisUrl = await testRedisUrl();
  const clock = await createTestClock(redisUrl, Date.now() - 16 * 24 * 3_600_000);
  cleanUps.add(() => clock.close());
  const {web, worker, own} = await startByHand({}, {redisUrl, time: clock.time});
  const hook = await addWebhook(own, receiver);
  receiver.respondWith(500);
  await postStandups(own);
  worker.wake(own.id, {kind: 'fan-out'});
  const delivery = await deliveryIn(own, hook, 'retrying', 1);
  expect(waitOf(delivery)).toBeLessThan(6_500);
  expect(receiver.received[0]?.headers['webhook-timestamp']).toBe(String(Math.floor(clock.now() / 1_000)));
  receiver.respondWith(204);
  await makeDue(web, own, hook);
  worker.wake(own.id, {kind: 'deliver', webhook: hook.suffix});
  await deliveryIn(own, hook, 'succeeded', 2);
});
