import {afterEach, beforeEach, describe, expect, it} from '@jest/globals';
import {sendToRedis} from '../../../scripts/redis-protocol.mjs';
import type {ProblemCode} from '../../../src/api/http/problems.js';
import {deadlines} from '../../../src/domain/core/limits.js';
import {expectProblem} from '../../api/http/expect-problem.js';
import {eventsOf, make} from '../../api/samples.js';
import {startTestRedis, type TestRedis} from '../../support/redis-server.js';
import {
  type RequestOptions,
  sendRequest,
  startService,
  type TestResponse,
  type TestService,
  type TestWorkspace,
} from '../../support/service.js';
import {measureTime} from '../../support/stopwatch.js';
import {until} from '../../support/until.js';
import {dumpRedis} from '../dump.js';

let redis: TestRedis;
let service: TestService;
let workspace: TestWorkspace;
/** A token that has not been used. The process has the holder of the other token in memory. */
let unused: string;
let standup: string;

beforeEach(async () => {
  redis = await startTestRedis();
  service = await startService({redisUrl: redis.url, requestMs: deadlines.request});
  workspace = await service.addWorkspace();
  unused = (await workspace.addToken({name: 'never-used'})).value;
  standup = (await make(workspace, '/v1/standups', {team: 'platform', update: 'Before.'})).id;
});

afterEach(async () => {
  redis.thaw();
  await service.close();
  await redis.stop();
});

const post = (update: string, key: string, options: RequestOptions = {}) =>
  workspace.request('POST', '/v1/standups', {
    body: {team: 'platform', update},
    headers: {'idempotency-key': key},
    ...options,
  });

const reads = () => [
  workspace.request('GET', '/v1/standups'),
  workspace.request('GET', `/v1/standups/${standup}`),
  workspace.request('GET', '/v1/events'),
  workspace.request('GET', '/v1/me'),
  workspace.request('GET', '/v1/me', {token: unused}),
];

const writes = () => [
  post('While it is away.', 'away'),
  post('While it is away.', 'away-2', {token: unused}),
  workspace.request('PATCH', `/v1/standups/${standup}`, {body: {update: 'Changed.'}}),
  workspace.request('DELETE', `/v1/standups/${standup}`),
  workspace.request('POST', '/v1/standups', {body: {}}),
];

/** Sends all requests at once. Each must be refused in time, with `Retry-After`. */
async function expectRefused(requests: () => Promise<TestResponse>[], code: ProblemCode): Promise<void> {
  for (const [answer, ms] of await Promise.all(requests().map((request) => measureTime(() => request)))) {
    expectProblem(answer, code);
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(ms).toBeLessThan(1_500);
  }
}

describe('a service while Redis is frozen', () => {
  it('refuses reads and writes within 1.5 s, and does not make refused writes later', async () => {
    const before = await eventsOf(workspace);
    redis.freeze();
    try {
      await expectRefused(() => [...reads(), ...writes()], 'service_unavailable');
      await until(
        async () => (await sendRequest(service.url, 'GET', '/readyz')).body.store === 'unreachable',
        {what: '/readyz says so'},
      );
      expect((await sendRequest(service.url, 'GET', '/healthz')).status).toBe(200);
    } finally {
      redis.thaw();
    }
    await until(async () => (await sendRequest(service.url, 'GET', '/readyz')).status === 200, {
      what: 'it is ready',
    });
    expect(await eventsOf(workspace)).toEqual(before);
    const again = await post('While it is away.', 'away');
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, null]);
  });
});

describe('a service while Redis is down', () => {
  it('refuses reads and writes, and serves them again within 10 s of the restart, with nothing lost', async () => {
    const before = await eventsOf(workspace);
    const kept = await post('Acknowledged.', 'down-before');
    await redis.kill();
    await expectRefused(() => [...reads(), ...writes()], 'service_unavailable');
    await redis.restart();
    // An answer of /readyz is cached for a second, so it may be older than the restart.
    const served = async () => {
      const again = await post('Acknowledged.', 'down-before');
      return again.status !== 503 && again;
    };
    const again = await until(served, {what: 'it is served', withinMs: 10_000});
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([kept.text, 'true']);
    expect(await eventsOf(workspace)).toHaveLength(before.length + 1);
  });
});

describe('a service while Redis may not write', () => {
  const replicate = (...to: string[]) => sendToRedis(redis.url, [['REPLICAOF', ...to]]);

  it('refuses writes with service_unavailable and serves reads if Redis is a replica', async () => {
    await replicate('127.0.0.1', '1');
    try {
      await expectRefused(() => writes().slice(0, 4), 'service_unavailable');
      for (const answer of await Promise.all(reads())) expect(answer.status).toBe(200);
      await until(async () => (await sendRequest(service.url, 'GET', '/readyz')).body.store === 'read-only', {
        what: '/readyz says so',
      });
      expect((await sendRequest(service.url, 'GET', '/readyz')).status).toBe(503);
    } finally {
      await replicate('NO', 'ONE');
    }
    expect((await post('It writes again.', 'replica')).status).toBe(201);
  });

  it('refuses everything if Redis is a replica whose master is away', async () => {
    await sendToRedis(redis.url, [['CONFIG', 'SET', 'replica-serve-stale-data', 'no']]);
    await replicate('127.0.0.1', '1');
    try {
      await expectRefused(() => [...reads(), ...writes()], 'service_unavailable');
    } finally {
      await replicate('NO', 'ONE');
      await sendToRedis(redis.url, [['CONFIG', 'SET', 'replica-serve-stale-data', 'yes']]);
    }
    expect((await post('It reads again.', 'master')).status).toBe(201);
  });
});

describe('a service when Redis has lost its data', () => {
  it('answers store_lost and never invalid_token, since the token is valid', async () => {
    const other = (await workspace.addToken({name: 'not-used-either'})).value;
    await sendToRedis(redis.url, [['FLUSHALL']]);
    await expectRefused(() => [...reads(), ...writes()], 'store_lost');
    expectProblem(await workspace.request('GET', '/v1/standups?limit=0', {token: other}), 'store_lost');
    await until(async () => (await sendRequest(service.url, 'GET', '/readyz')).body.store === 'lost', {
      what: '/readyz says so',
    });
    expect((await sendRequest(service.url, 'GET', '/readyz')).status).toBe(503);
    // The service has written nothing into a store that the operator may still restore.
    const {keys} = await dumpRedis(redis.url);
    expect(keys.filter((key) => key.includes(workspace.id))).toEqual([]);
  });
});
