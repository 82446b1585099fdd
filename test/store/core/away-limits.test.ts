import {afterAll, afterEach, beforeAll, beforeEach, expect, it} from '@jest/globals';
import {sendToRedis} from '../../../scripts/redis-protocol.mjs';
import {expectProblem} from '../../api/http/expect-problem.js';
import {startTestRedis, type TestRedis} from '../../support/redis-server.js';
import {sendRequest, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {measureTime} from '../../support/stopwatch.js';
import {until} from '../../support/until.js';

const env = {RATE_LIMIT: '6', RATE_LIMIT_WRITES: '3', RATE_LIMIT_AUTH_FAILURES: '3'};
let redis: TestRedis;
let service: TestService;
let workspace: TestWorkspace;

beforeAll(async () => {
  redis = await startTestRedis();
  service = await startService({redisUrl: redis.url, env});
});

beforeEach(async () => {
  workspace = await service.addWorkspace();
});

afterEach(async () => {
  redis.thaw();
  const {call} = service.core.store.connection;
  const answers = () =>
    call(performance.now() + 5_000, ['PING', 'still there']).then(
      () => true,
      () => false,
    );
  await until(answers, {what: 'the store is back'});
});

afterAll(async () => {
  await service.close();
  await redis.stop();
});

const get = (token = workspace.token) => sendRequest(service.url, 'GET', '/v1/me', {token});
const post = () =>
  workspace.request('POST', '/v1/standups', {body: {team: 'platform', update: 'While it is away.'}});

async function statusesOf(count: number, send: () => Promise<{status: number}>): Promise<number[]> {
  const statuses: number[] = [];
  for (let i = 0; i < count; i++) statuses.push((await send()).status);
  return statuses;
}

it('a client that exceeds its limit while Redis is down gets rate_limited and not only service_unavailable', async () => {
  expect((await get()).status).toBe(200);
  await redis.kill();
  try {
    expect(await statusesOf(4, post)).toEqual([503, 503, 503, 429]);
    expect(await statusesOf(3, get)).toEqual([503, 503, 429]);
    const refused = await get();
    expectProblem(refused, 'rate_limited');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.headers.get('ratelimit')).toMatch(/^"all";r=0;t=\d+, "writes";r=0;t=\d+$/);
    expect(await statusesOf(4, () => get('made.up.token'))).toEqual([401, 401, 401, 429]);
  } finally {
    await redis.restart();
  }
});

it('the last known count of a quota is used while Redis is down, and the count in Redis when it is back', async () => {
  expect(await statusesOf(7, get)).toEqual([200, 200, 200, 200, 200, 200, 429]);
  const other = await service.addWorkspace();
  await redis.kill();
  try {
    expectProblem(await get(), 'rate_limited');
    expectProblem(await post(), 'rate_limited');
  } finally {
    await redis.restart();
  }
  await until(async () => (await other.request('GET', '/v1/me')).status === 200, {what: 'it serves again'});
  // The count was not written to disk. A quota counts for a minute, and need not survive a crash.
  await until(async () => (await get()).status === 200, {what: 'the store has decided'});
});

it('regression: each process counts alone while Redis is full or read-only and cannot store a count', async () => {
  const unable = [
    {begin: ['CONFIG', 'SET', 'maxmemory', '1'], end: ['CONFIG', 'SET', 'maxmemory', '0'], posting: 507},
    {begin: ['REPLICAOF', '127.0.0.1', '1'], end: ['REPLICAOF', 'NO', 'ONE'], posting: 503},
  ];
  for (const {begin, end, posting} of unable) {
    // A process that has counted no failed authentication of this address so far.
    const fresh = await startService({redisUrl: redis.url, env: {...env, ROLES: 'web'}});
    const {token, request} = await service.addWorkspace();
    const own = {body: {team: 'platform', update: 'While it is full.'}};
    await sendToRedis(redis.url, [begin]);
    try {
      expect(await statusesOf(4, () => request('POST', '/v1/standups', own))).toEqual([
        posting,
        posting,
        posting,
        429,
      ]);
      expect(await statusesOf(4, () => get(token))).toEqual([200, 200, 200, 429]);
      const fail = () => sendRequest(fresh.url, 'GET', '/v1/me', {token: 'made.up.token'});
      expect(await statusesOf(4, fail)).toEqual([401, 401, 401, 429]);
    } finally {
      await fresh.close();
      await sendToRedis(redis.url, [end]);
    }
  }
});

it('a caller over the limit does not wait for a frozen Redis each time', async () => {
  // The limit is two requests a minute, so the caller gives up long before another one is allowed.
  const hurried = await startService({
    redisUrl: redis.url,
    env: {...env, RATE_LIMIT: '2'},
    requestMs: 3_000,
  });
  const ask = () => sendRequest(hurried.url, 'GET', '/v1/me', {token: workspace.token});
  try {
    expect(await statusesOf(3, ask)).toEqual([200, 200, 429]);
    redis.freeze();
    expectProblem(await ask(), 'rate_limited');
    const [statuses, ms] = await measureTime(() => statusesOf(5, ask));
    expect(statuses).toEqual([429, 429, 429, 429, 429]);
    expect(ms).toBeLessThan(900);
  } finally {
    redis.thaw();
    await hurried.close();
  }
});
