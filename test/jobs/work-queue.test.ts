import {afterEach, expect, it} from '@jest/globals';
import {sendToRedis} from '../../scripts/redis-protocol.mjs';
import type {Work} from '../../src/domain/core/work.js';
import {createWorkQueue} from '../../src/jobs/work-queue.js';
import {createRedisClient} from '../../src/store/core/redis-client.js';
import {fillRedis, removeMemoryLimit} from '../support/full-redis.js';
import {startTestRedis, type TestRedis} from '../support/redis-server.js';
import {measureCpuMs} from '../support/stopwatch.js';
import {until} from '../support/until.js';
import {createCleanUps, silentLog} from './stage.js';
import {asSuffix, asId} from '../support/ids.js';

const cleanUps = createCleanUps();
afterEach(() => cleanUps.run());

const workspace = asId<'workspace'>('ws_01');
const fanOut: Work = {kind: 'fan-out'};

async function startOwnRedis(): Promise<TestRedis> {
  const redis = await startTestRedis({appendfsync: 'no'});
  cleanUps.add(() => redis.stop());
  return redis;
}

const clientOf = (url: string) =>
  createRedisClient({url, tlsVerify: true, onError: () => undefined, forQueue: true});

/** Opens a queue on its own connection, and records the slices that it has run. */
async function startQueue(url: string, hangs: (kind: Work['kind']) => boolean = () => false) {
  const client = clientOf(url);
  await client.connect();
  const queue = createWorkQueue({client, log: silentLog});
  const ran: string[] = [];
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  cleanUps.add(async () => {
    release();
    await queue.close();
    client.destroy();
  });
  return {
    queue,
    ran,
    work: () =>
      queue.work(
        async (_, work) => {
          ran.push(work.kind);
          if (hangs(work.kind)) await released;
        },
        {slack: true},
      ),
  };
}

it('a slice that is requested many times before it runs is run once', async () => {
  const redis = await startOwnRedis();
  const {queue, ran, work} = await startQueue(redis.url);
  for (let i = 0; i < 50; i++) queue.add(workspace, fanOut);
  queue.add(workspace, {kind: 'deliver', webhook: asSuffix('w1')});
  work();
  await until(() => ran.includes('deliver') && ran.includes('fan-out'));
  expect(ran.filter((kind) => kind === 'fan-out')).toHaveLength(1);
});

it('regression: slices that wait for Slack do not delay other slices in the queue', async () => {
  const redis = await startOwnRedis();
  const {queue, ran, work} = await startQueue(redis.url, (kind) => kind === 'post-slack');
  for (let i = 0; i < 600; i++) queue.add(workspace, {kind: 'post-slack', channel: `C${i}`});
  work();
  await until(() => ran.length >= 32, {what: 'as many wait for Slack as may'});
  queue.add(workspace, fanOut);
  await until(() => ran.includes('fan-out'), {what: 'the other turn runs'});
});

it('regression: work goes on after a restart of Redis that has lost the scripts', async () => {
  const redis = await startOwnRedis();
  const {queue, ran, work} = await startQueue(redis.url);
  work();
  queue.add(workspace, fanOut);
  await until(() => ran.length === 1);
  await redis.kill();
  await until(() => !queue.available());
  await redis.restart();
  await until(() => queue.available());
  await until(
    () => {
      queue.add(workspace, {kind: 'deliver', webhook: asSuffix('w1')});
      return ran.includes('deliver') || undefined;
    },
    {what: 'a turn runs after the restart'},
  );
});

it('regression: a queue whose Redis does not answer counts as unavailable, so that slices run without it', async () => {
  const redis = await startOwnRedis();
  const {queue} = await startQueue(redis.url);
  redis.freeze();
  queue.add(workspace, fanOut);
  await until(() => !queue.available(), {what: 'the queue counts as away'});
  redis.thaw();
  await until(() => queue.available(), {what: 'the queue is back'});
});

it('regression: a worker whose connection is lost permanently does not keep the processor busy', async () => {
  const redis = await startOwnRedis();
  const client = clientOf(redis.url);
  await client.connect();
  const queue = createWorkQueue({client, log: silentLog});
  cleanUps.add(() => queue.close());
  queue.work(async () => undefined, {slack: false});
  queue.add(workspace, fanOut);
  await until(() => queue.available());
  client.destroy();
  const started = performance.now();
  const worked = await measureCpuMs(() => until(() => performance.now() - started > 300));
  expect(worked).toBeLessThan(0.8 * (performance.now() - started));
});

it('regression: a queue whose Redis is full counts as unavailable, so that slices run without it', async () => {
  const redis = await startOwnRedis();
  const {queue} = await startQueue(redis.url);
  await fillRedis(redis, {forGood: true});
  queue.add(workspace, fanOut);
  await until(() => !queue.available(), {what: 'the queue counts as away'});
  await removeMemoryLimit(redis);
  await until(() => queue.available(), {what: 'the queue is back'});
});

/** Counts the calls of a command that Redis has refused. */
async function countRefused(redis: TestRedis, command: string): Promise<number> {
  const [stats] = await sendToRedis(redis.url, [['INFO', 'commandstats']]);
  return Number(new RegExp(`^cmdstat_${command}:.*rejected_calls=(\\d+)`, 'm').exec(String(stats))?.[1] ?? 0);
}

it.each(['evalsha', 'bzpopmin'])(
  'regression: a worker whose user loses the right to run %s pauses between attempts, logs that once, and works with the right again',
  async (command) => {
    const redis = await startOwnRedis();
    const allow = (rule: string) =>
      sendToRedis(redis.url, [['ACL', 'SETUSER', 'worker', 'on', '>pw', '~*', '&*', '+@all', rule]]);
    // BullMQ must not ask for the version: refused, it asks again until the memory is full.
    await allow('-info');
    const url = new URL(redis.url);
    Object.assign(url, {username: 'worker', password: 'pw'});
    const client = clientOf(url.href);
    await client.connect();
    const warnings: string[] = [];
    const log = {...silentLog, warn: (_: object, message: string) => void warnings.push(message)};
    const queue = createWorkQueue({client, log});
    cleanUps.add(() => queue.close());
    let ran = 0;
    queue.work(async () => void (ran += 1), {slack: false});
    queue.add(workspace, fanOut);
    await until(() => ran === 1, {what: 'it works'});
    await allow(`-${command}`);
    // The worker waits for a job, and finds it.
    await sendToRedis(redis.url, [['ZADD', '{standup-queue}:turns:marker', '0', '0']]);
    await until(async () => (await countRefused(redis, command)) > 0 && warnings.length > 0, {
      what: 'it is refused',
      withinMs: 20_000,
    });
    const before = await countRefused(redis, command);
    const started = performance.now();
    await until(() => performance.now() - started > 2_000);
    // A loop without a pause is refused thousands of times.
    expect((await countRefused(redis, command)) - before).toBeLessThan(300);
    expect(warnings).toEqual(['the queue refuses commands, so background work comes up to a second late']);
    await allow('+@all');
    const had = ran;
    await until(
      () => {
        queue.add(workspace, {kind: 'deliver', webhook: asSuffix('w1')});
        return ran > had;
      },
      {what: 'it works again', withinMs: 20_000},
    );
  },
  60_000,
);

/** Opens a queue with two workers, and records the connections that they make. */
async function startCounted(redis: TestRedis) {
  const client = clientOf(redis.url);
  const copies = [client];
  const {duplicate} = client;
  Object.assign(client, {
    duplicate(...given: Parameters<typeof duplicate>) {
      const copy = duplicate.apply(client, given);
      copies.push(copy as typeof client);
      return copy;
    },
  });
  await client.connect();
  const queue = createWorkQueue({client, log: silentLog});
  queue.work(async () => undefined, {slack: true});
  await until(() => queue.available() && copies.filter(({isReady}) => isReady).length > 2, {
    what: 'its workers have connections',
  });
  return {queue, copies};
}

it('regression: a late error of a connection of a closed queue does not end the process', async () => {
  const {queue, copies} = await startCounted(await startOwnRedis());
  await queue.close();
  for (const copy of copies) expect(() => copy.emit('error', new Error('too late'))).not.toThrow();
});

it('regression: a closed queue opens no more connections to Redis', async () => {
  const redis = await startOwnRedis();
  const {queue, copies} = await startCounted(redis);
  await redis.kill();
  await queue.close();
  for (const copy of copies.slice(1)) {
    // BullMQ connects like this if a worker waits for a job while it is closed.
    await expect(copy.connect()).rejects.toThrow('the worker has ended');
    expect(copy.isOpen).toBe(false);
  }
});
