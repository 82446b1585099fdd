import {afterEach, expect, it} from '@jest/globals';
import {sendToRedis} from '../../scripts/redis-protocol.mjs';
import {createShutdownList, createLog} from '../../src/compose-core.js';
import {createWorkRequester} from '../../src/jobs/ask-workers.js';
import {createRedisClient} from '../../src/store/core/redis-client.js';
import {testRedisUrl} from '../support/redis-server.js';
import {startService} from '../support/service.js';
import {until} from '../support/until.js';
import {createCleanUps, postStandups, newDeadline} from './stage.js';
import {asSuffix, asId} from '../support/ids.js';

const cleanUps = createCleanUps();
afterEach(() => cleanUps.run());

it('a web process connects to the queue only when needed, and requests few slices for a burst of standups', async () => {
  const queueUrl = await testRedisUrl();
  const service = await startService({env: {ROLES: 'web', QUEUE_REDIS_URL: queueUrl}});
  cleanUps.add(() => service.close());
  const isQueue = ` db=${new URL(queueUrl).pathname.slice(1)} `;
  expect(await service.core.store.connection.call<string>(newDeadline(), ['CLIENT', 'LIST'])).not.toContain(
    isQueue,
  );

  const workspace = await service.addWorkspace();
  const askedFor = async () =>
    Number((await sendToRedis(queueUrl, [['GET', '{standup-queue}:turns:id']]))[0]);
  // The first standup makes the service compile its schemas, which is slow.
  await postStandups(workspace);
  await until(async () => (await askedFor()) > 0);
  const before = await askedFor();
  const from = performance.now();
  await postStandups(workspace, 60);
  const lasted = performance.now() - from;
  // The service requests work at once, and then every 50 ms while standups are posted.
  await until(async () => (await askedFor()) > before);
  expect((await askedFor()) - before).toBeLessThanOrEqual(2 + lasted / 50);
});

it('regression: the requests that a process holds for its queue are limited while the queue is unavailable', async () => {
  const queueUrl = await testRedisUrl();
  let openQueue = (): void => undefined;
  const isBack = new Promise<void>((resolve) => (openQueue = resolve));
  const createClient = () => {
    const client = createRedisClient({
      url: queueUrl,
      tlsVerify: false,
      onError: () => undefined,
      forQueue: true,
    });
    const connect = client.connect.bind(client);
    return Object.assign(client, {connect: () => isBack.then(connect)});
  };
  const log = createLog({logLevel: 'silent', logFormat: 'json'}, createShutdownList());
  const asking = createWorkRequester({createClient, slack: false, log});
  cleanUps.add(() => asking.close());
  for (let i = 0; i < 3_000; i += 1) asking.wake(asId('w'), {kind: 'replay', replay: asSuffix(String(i))});
  openQueue();
  const countAsked = async () =>
    Number((await sendToRedis(queueUrl, [['GET', '{standup-queue}:turns:id']]))[0]);
  let seen = -1;
  await until(async () => {
    const before = seen;
    seen = await countAsked();
    return seen > 0 && seen === before;
  });
  expect(seen).toBeLessThanOrEqual(1_000);
});
