import {afterEach, beforeEach, expect, test} from '@jest/globals';
import {type RedisCommand, type RedisConnection, openConnection} from '../../src/store/core/connection.js';
import {testRedisUrl} from '../support/redis-server.js';
import {type SlowRedis, startSlowRedis} from '../support/slow-redis.js';
import {measureTime} from '../support/stopwatch.js';
import {until} from '../support/until.js';

let redisUrl: string;
let slow: SlowRedis;
let connection: RedisConnection;
let direct: RedisConnection;

beforeEach(async () => {
  redisUrl = await testRedisUrl();
  slow = await startSlowRedis(redisUrl);
  const open = (url: string) => openConnection({url, tlsVerify: true, onError: () => undefined});
  [connection, direct] = await Promise.all([open(slow.url), open(redisUrl)]);
});

afterEach(async () => {
  slow.delay(0);
  slow.release();
  await connection.close();
  await direct.close();
  await slow.close();
});

const newDeadline = (ms = 2_000) => performance.now() + ms;

const call = (command: RedisCommand) => connection.call(newDeadline(), command);

test('replies arrive unchanged, with the requested delay', async () => {
  const [fast, fastMs] = await measureTime(() => call(['ECHO', 'ä'.repeat(100_000)]));
  expect(fast).toBe('ä'.repeat(100_000));
  expect(fastMs).toBeLessThan(150);
  slow.delay(300);
  const began = performance.now();
  const [late, lateMs] = await measureTime(() => call(['ECHO', 'late']));
  expect(late).toBe('late');
  expect(performance.now() - began).toBeGreaterThanOrEqual(299);
  expect(lateMs).toBeLessThan(1_000);
});

test('replies remain in order when the delay is shortened', async () => {
  const order: string[] = [];
  const ask = (text: string) =>
    connection.call<string>(newDeadline(), ['ECHO', text]).then((reply) => order.push(reply));
  slow.delay(300);
  const first = ask('first');
  await until(() => slow.waiting() === 1);
  slow.delay(0);
  await Promise.all([first, ask('second'), ask('third')]);
  expect(order).toEqual(['first', 'second', 'third']);
});

test('many commands at once are delayed together, not one after the other', async () => {
  slow.delay(300);
  const [, ms] = await measureTime(() =>
    Promise.all(Array.from({length: 50}, (_, i) => call(['ECHO', String(i)]))),
  );
  expect(ms).toBeLessThan(1_000);
});

test('a command whose reply is withheld is executed in Redis, and the reply arrives when it is released', async () => {
  slow.hold();
  let answered = false;
  const reply = connection.call(newDeadline(10_000), ['SET', 'held', '1']).then((text) => {
    answered = true;
    return text;
  });
  await until(async () => (await direct.call(newDeadline(), ['GET', 'held'])) === '1');
  await until(() => slow.waiting() === 1);
  expect(answered).toBe(false);
  slow.release();
  expect(await reply).toBe('OK');
});

test('a withheld command is not executed in Redis before it is released', async () => {
  slow.hold('everything');
  const reply = connection.call(newDeadline(10_000), ['SET', 'stalled', '1']);
  await until(() => slow.waiting() === 1);
  expect(await direct.call(newDeadline(), ['GET', 'stalled'])).toBeNull();
  slow.release();
  expect(await reply).toBe('OK');
});

test('no reply arrives after the connection is cut until it is repaired', async () => {
  slow.cut();
  await expect(connection.call(newDeadline(500), ['PING', 'still there'])).rejects.toMatchObject({
    code: 'service_unavailable',
  });
  slow.mend();
  await until(() => connection.call(newDeadline(500), ['PING', 'still there']).catch(() => undefined));
});
