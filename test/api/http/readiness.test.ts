import {afterEach, beforeEach, expect, it} from '@jest/globals';
import {sendToRedis} from '../../../scripts/redis-protocol.mjs';
import {startTestRedis, type TestRedis} from '../../support/redis-server.js';
import {sendRequest, startService, type TestService} from '../../support/service.js';
import {until} from '../../support/until.js';

let redis: TestRedis;
let service: TestService;

beforeEach(async () => {
  redis = await startTestRedis();
  service = await startService({redisUrl: redis.url, env: {ROLES: 'web'}});
});

afterEach(async () => {
  await service.close();
  await redis.stop();
});

const get = () => sendRequest(service.url, 'GET', '/readyz');

/** Number of readiness checks so far. In a process without a worker, nothing else counts the workspaces. */
async function countLooks(): Promise<number> {
  const [stats] = await sendToRedis(redis.url, [['INFO', 'commandstats']]);
  return Number(/cmdstat_scard:calls=(\d+)/.exec(String(stats))?.[1] ?? 0);
}

it('regression: /readyz does not reveal the number of workspaces', async () => {
  expect((await get()).body.workspaces).toBe('none: run `standup-admin workspace create NAME --owner EMAIL`');
  for (let i = 0; i < 3; i += 1) await service.addWorkspace();
  const {body} = await until(
    async () => {
      const answer = await get();
      return answer.body.workspaces === undefined ? answer : undefined;
    },
    {what: 'it knows of a workspace'},
  );
  expect(body).toEqual({
    status: 'ready',
    store: 'ok',
    durability: 'always',
    worker: expect.stringMatching(/^none: start a process with ROLES=worker/),
    slack: 'not configured',
  });
});

it('regression: /readyz shows whether any process does the background work', async () => {
  expect((await get()).body.worker).toMatch(/^none: /);
  const worker = await startService({redisUrl: redis.url, env: {ROLES: 'worker'}});
  try {
    await until(async () => (await get()).body.worker === 'working', {what: 'the worker is seen'});
  } finally {
    await worker.close();
  }
  await until(async () => (await get()).body.worker !== 'working', {what: 'the worker is missed'});
});

it('regression: /readyz asks the store about once a second, whatever the number of requests', async () => {
  await Promise.all(Array.from({length: 10}, () => service.addWorkspace()));
  const begun = performance.now();
  const before = await countLooks();
  for (let i = 0; i < 5; i += 1) {
    const answers = await Promise.all(Array.from({length: 20}, get));
    expect(answers.every(({status}) => status === 200)).toBe(true);
  }
  const seconds = Math.ceil((performance.now() - begun) / 1_000);
  expect((await countLooks()) - before).toBeLessThanOrEqual(seconds + 1);
});
