import {afterEach, beforeEach, expect, it} from '@jest/globals';
import {sendToRedis} from '../../scripts/redis-protocol.mjs';
import {type Receiver, startReceiver} from '../support/receiver.js';
import {startTestRedis, testRedisUrl} from '../support/redis-server.js';
import {startService, type TestService} from '../support/service.js';
import {until} from '../support/until.js';
import {
  addWebhook,
  createCleanUps,
  deliveriesOf,
  deliveryIn,
  makeDue,
  postStandups,
  newDeadline,
  startWorker,
} from './stage.js';

const cleanUps = createCleanUps();
let receiver: Receiver;

beforeEach(async () => {
  receiver = await startReceiver();
  cleanUps.add(() => receiver.close());
});

afterEach(() => cleanUps.run());

async function start(env: Record<string, string> = {}): Promise<TestService> {
  const service = await startService({env});
  cleanUps.add(() => service.close());
  return service;
}

it('the scheduler finds fan-out and deliveries whose requests in the queue were lost', async () => {
  // The web process requests slices from a queue that no worker reads.
  const service = await start({ROLES: 'web', QUEUE_REDIS_URL: await testRedisUrl()});
  const workspace = await service.addWorkspace();
  const hook = await addWebhook(workspace, receiver);
  await postStandups(workspace, 3);
  const worker = await startWorker(service, {queueUrl: await testRedisUrl()});
  cleanUps.add(() => worker.close());
  await receiver.waitFor(3);
  await until(async () => (await deliveriesOf(workspace, hook)).every(({state}) => state === 'succeeded'));

  const log = await service.core.store.connection.call<string[]>(newDeadline(), [
    'ZRANGE',
    `{${workspace.id}}:ready`,
    '0',
    '-1',
  ]);
  expect(log).toEqual([]);
  expect(receiver.received).toHaveLength(3);
});

it('regression: a worker searches for due work as soon as it starts', async () => {
  const service = await start({ROLES: 'web', QUEUE_REDIS_URL: await testRedisUrl()});
  const workspace = await service.addWorkspace();
  await addWebhook(workspace, receiver);
  await postStandups(workspace);
  // The scheduler searches for work only once, as in a process that is killed every second.
  const worker = await startWorker(service, {queueUrl: await testRedisUrl(), schedulerIntervalMs: 600_000});
  cleanUps.add(() => worker.close());
  expect(await receiver.waitFor(1)).toHaveLength(1);
});

it('a retry that becomes due after the queue has lost its data is sent', async () => {
  const queueUrl = await testRedisUrl();
  const service = await start({QUEUE_REDIS_URL: queueUrl});
  const workspace = await service.addWorkspace();
  receiver.respondWith(500);
  const hook = await addWebhook(workspace, receiver);
  await postStandups(workspace);
  await deliveryIn(workspace, hook, 'retrying', 1);
  await sendToRedis(queueUrl, [['FLUSHDB']]);
  receiver.respondWith(204);
  await makeDue(service, workspace, hook);
  await deliveryIn(workspace, hook, 'succeeded', 2);
  await sendToRedis(queueUrl, [['FLUSHDB']]);
  await postStandups(workspace);
  await receiver.waitFor(3);
  expect(receiver.received).toHaveLength(3);
});

it.each([
  ['dies', 'kill'],
  ['freezes', 'freeze'],
] as const)('events are still delivered when the Redis of the queue %s', async (_, failure) => {
  const queue = await startTestRedis({appendfsync: 'no'});
  cleanUps.add(() => queue.stop());
  const service = await start({QUEUE_REDIS_URL: queue.url});
  const workspace = await service.addWorkspace();
  await addWebhook(workspace, receiver);
  await postStandups(workspace);
  await receiver.waitFor(1);

  await queue[failure]();
  if (failure === 'freeze') cleanUps.add(queue.thaw);
  // The deliveries take more than one slice, so that further slices must be requested.
  receiver.respondWith(async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return 204;
  });
  for (let i = 0; i < 8; i++) await postStandups(workspace, 50);
  await receiver.waitFor(401);
  expect(new Set(receiver.received.map(({id}) => id)).size).toBe(401);
});

it('the service starts and delivers even if the Redis of its queue is down', async () => {
  const queue = await startTestRedis({appendfsync: 'no'});
  cleanUps.add(() => queue.stop());
  await queue.kill();
  const service = await start({QUEUE_REDIS_URL: queue.url});
  const workspace = await service.addWorkspace();
  await addWebhook(workspace, receiver);
  await postStandups(workspace, 3);
  await receiver.waitFor(3);
  expect(receiver.received).toHaveLength(3);
});
