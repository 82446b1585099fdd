import {afterEach, beforeEach, expect, test} from '@jest/globals';
import {type RedisConnection, openConnection} from '../../../src/store/core/connection.js';
import {testRedisUrl} from '../../support/redis-server.js';

let connection: RedisConnection;

beforeEach(async () => {
  connection = await openConnection({url: await testRedisUrl(), tlsVerify: true, onError: () => undefined});
});

afterEach(() => connection.close());

const blockThread = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

test('regression: an answer of Redis in time counts, even if the process was suspended past the deadline', async () => {
  const deadline = performance.now() + 1_000;
  const answer = connection.call(deadline, ['BLPOP', 'nothing', '0.1']);
  await new Promise((resolve) => setTimeout(resolve, 50));
  await new Promise(setImmediate);
  blockThread(deadline + 200 - performance.now());
  expect(await answer).toBeNull();
});

test('regression: an answer of Redis in time counts, even if the process was suspended just before a check of deadlines', async () => {
  const begun = performance.now();
  const answer = connection.call(begun + 1_000, ['BLPOP', 'nothing', '0.5']);
  // Each round of the event loop is longer than the interval of the checks, so that each round ends with a
  // check.
  while (performance.now() < begun + 400) {
    await new Promise(setImmediate);
    blockThread(30);
  }
  await new Promise(setImmediate);
  blockThread(begun + 1_200 - performance.now());
  expect(await answer).toBeNull();
});

test('a Redis call without an answer by its deadline fails', async () => {
  const answer = connection.call(performance.now() + 100, ['BLPOP', 'nothing', '2']);
  await expect(answer).rejects.toMatchObject({code: 'service_unavailable'});
});
