import {afterEach, expect, it} from '@jest/globals';
import {sendToRedis} from '../../scripts/redis-protocol.mjs';
import {testRedisUrl} from '../support/redis-server.js';
import {startService} from '../support/service.js';
import {until} from '../support/until.js';
import {createCleanUps, postStandups, soon} from './stage.js';

const cleanUps = createCleanUps();
afterEach(() => cleanUps.run());

it('a process that only serves begins without a queue, and asks a few times for a burst of posts', async () => {
  const queueUrl = await testRedisUrl();
  const service = await startService({env: {ROLES: 'web', QUEUE_REDIS_URL: queueUrl}});
  cleanUps.add(() => service.close());
  const isQueue = ` db=${new URL(queueUrl).pathname.slice(1)} `;
  expect(await service.core.store.connection.call<string>(soon(), ['CLIENT', 'LIST'])).not.toContain(isQueue);

  const workspace = await service.addWorkspace();
  const askedFor = async () =>
    Number((await sendToRedis(queueUrl, [['GET', '{standup-queue}:turns:id']]))[0]);
  // The first answer has the tests compile the schemas.
  await postStandups(workspace);
  await until(async () => (await askedFor()) > 0);
  const before = await askedFor();
  const from = performance.now();
  await postStandups(workspace, 60);
  const lasted = performance.now() - from;
  // At once, and then every 50 ms as long as there are posts.
  await until(async () => (await askedFor()) > before);
  expect((await askedFor()) - before).toBeLessThanOrEqual(2 + lasted / 50);
});
