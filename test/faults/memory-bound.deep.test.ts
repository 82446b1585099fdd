import {afterEach, expect, it} from '@jest/globals';
import {execFile} from 'node:child_process';
import {randomUUID} from 'node:crypto';
import {promisify} from 'node:util';
import {sendToRedis} from '../../scripts/redis-protocol.mjs';
import {findFreePort} from '../support/free-port.js';
import {type Json, sendRequest, startService} from '../support/service.js';
import {startProcess, startServiceProcess, type TestProcess} from '../support/service-process.js';
import {startTestStore, type TestStore} from '../support/test-store.js';
import {until} from '../support/until.js';
import {workspaceKeys} from '../../src/store/core/keys.js';

/** Number of deliveries, set by `npm run faults -- memory --deliveries N`; smaller in `npm run test:deep`. */
const deliveries = Number(process.env['MEMORY_DELIVERIES'] ?? 600);
const isLong = deliveries >= 20_000;
const webhooks = 20;
const events = Math.ceil(deliveries / webhooks);
const bodyBytes = 10_240;
/** Retention of events (s). If all deliveries are made within this time, all of them exist at the peak. */
const kept = isLong ? Math.ceil(deliveries / 300) : 10;
/** Limit of deliveries that wait at once, so that none expires before it is sent on a slow machine. */
const mostWaiting = 10_000;
/** Time limit of a Redis command (ms). Listing about a hundred thousand keys is slow. */
const timeoutMs = 30_000;
const mib = 1024 * 1024;
/** Limit of resident memory. The smallest supported machines have 512 MiB. */
const rssLimit = 400 * mib;

const closings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (let close = closings.pop(); close !== undefined; close = closings.pop()) await close();
});

interface MemorySample {
  readonly rss: number;
  readonly redis: number;
}

it(
  `${deliveries} deliveries answered with 10 kB each do not grow the process, nor Redis after the retention`,
  async () => {
    const store = await startTestStore({appendfsync: 'no'});
    closings.push(() => store.stop());
    const target = `http://127.0.0.1:${await findFreePort()}`;
    const receiver = ['test/support/big-receiver.mjs', new URL(target).port, String(bodyBytes)];
    closings.push(startProcess(process.execPath, receiver).kill);
    await until(() => countAnswered(target).catch(() => undefined), {what: 'the receiver is there'});
    const {token, id} = await prepare(store, target);
    const redis = await store.masterOf(workspaceKeys(id).head());
    const service = await startServiceProcess({
      redisUrl: store.url,
      env: store.env,
      composed: {retention: {events: kept, delivery: kept - 1}, upkeepMs: 1_000},
    });
    closings.push(() => service.kill());
    /** Sends a request, and repeats it if a busy machine answers 503. */
    const ask = async (method: string, path: string, body?: object): Promise<Json> => {
      const options = {token, headers: {'idempotency-key': randomUUID()}, ...(body && {body})};
      const answer = await until(async () => {
        const {status, body: shown} = await sendRequest(service.url, method, path, options);
        if (status >= 300 && status !== 503) throw new Error(`${method} ${path}: ${status}`);
        return status === 503 ? undefined : {shown};
      });
      return answer.shown;
    };
    // Creates a standup, to load everything that stays in memory after its first use.
    const warm = await ask('POST', '/v1/standups', {team: 'platform', update: 'Warm.'});
    await until(async () => (await countAnswered(target)) === webhooks, {what: 'the first arrived'});
    await ask('DELETE', `/v1/standups/${warm.id}`);

    const before = await look(service.current(), redis.url);
    const sampler = startSampling(() => look(service.current(), redis.url));
    closings.push(sampler.stop);
    const startedAt = performance.now();
    // Each standup is deleted at once, so that only data of deliveries remains.
    await inParallel(events, 8, async (i) => {
      const {id} = await ask('POST', '/v1/standups', {team: 'platform', update: `Update ${i}.`});
      await ask('DELETE', `/v1/standups/${id}`);
      await until(async () => webhooks * i - (await countAnswered(target)) < mostWaiting, {
        withinMs: 600_000,
        everyMs: 100,
      });
    });
    await until(async () => (await countAnswered(target)) >= webhooks * (events + 1), {
      withinMs: 60_000 + 20 * deliveries,
      everyMs: 200,
      what: 'everything has arrived',
    });
    const seconds = (performance.now() - startedAt) / 1_000;
    const records = await countDeliveries(redis.url);
    const full = await look(service.current(), redis.url);
    const active = sampler.taken();
    await until(async () => (await countKeys(redis.url, '*:[dv]:*')) <= 2, {
      withinMs: 60_000 + 2_000 * kept,
      everyMs: 500,
      what: 'retention has passed',
    });
    const after = await until(
      async () => {
        const now = await look(service.current(), redis.url);
        return now.redis < before.redis + 4 * mib ? now : undefined;
      },
      {withinMs: 30_000, everyMs: 500, what: 'Redis is as small as before'},
    );
    const samples = await sampler.stop();
    const peak = Math.max(...samples.map((sample) => sample.rss));
    const quarters = [0, 1, 2, 3].map((q) => median(samples.slice(...quarterOf(active, q))));
    const redisPeak = Math.max(full.redis, ...samples.map((sample) => sample.redis));
    process.stdout.write(
      `memory: ${webhooks * events} deliveries in ${seconds.toFixed(0)} s, ${records} kept at the peak; Redis MiB before, peak, after retention: ` +
        `${inMib(before.redis)}, ${inMib(redisPeak)}, ${inMib(after.redis)}; RSS MiB before, by quarters of the run, peak: ` +
        `${inMib(before.rss)}, ${quarters.map(inMib).join(' ')}, ${inMib(peak)} (${samples.length} samples)\n`,
    );
    expect(peak).toBeLessThan(rssLimit);
    if (isLong) {
      // By the third quarter the caches of the process are full and the heap has its final size.
      const [, , third = 0, last = 0] = quarters;
      expect(last).toBeLessThan(1.1 * third);
    } else {
      expect(records).toBeGreaterThanOrEqual(webhooks * events);
    }
  },
  isLong ? 3_600_000 : 120_000,
);

async function prepare({url, env}: TestStore, receiverUrl: string) {
  const service = await startService({redisUrl: url, env: {...env, ROLES: 'web'}});
  try {
    const workspace = await service.addWorkspace();
    // Removes the log consumer for Slack, whose cursor would keep the log from being trimmed.
    await service.core.store.events.removeIdleConsumer(workspace.id, 'slack', 0, performance.now() + 5_000);
    for (let i = 0; i < webhooks; i++) {
      const body = {url: `${receiverUrl}/${i}`, events: ['standup.created']};
      const {status} = await workspace.request('POST', '/v1/webhooks', {body});
      expect(status).toBe(201);
    }
    return workspace;
  } finally {
    await service.close();
  }
}

async function countAnswered(target: string): Promise<number> {
  return Number(await (await fetch(target)).text());
}

/** Reads the resident memory of the process and the size of the data in Redis (bytes). */
async function look(service: TestProcess, redisUrl: string): Promise<MemorySample> {
  const {stdout} = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(service.pid)]);
  const [info] = await sendToRedis(redisUrl, [['INFO', 'memory']], timeoutMs);
  const read = (name: string) => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(String(info))?.[1]);
  // A master keeps up to 16 MB for replicas that come back.
  const redis = read('used_memory') - read('mem_total_replication_buffers');
  return {rss: Number(stdout) * 1024, redis};
}

async function countKeys(redisUrl: string, pattern: string): Promise<number> {
  const count = ['EVAL', `return #redis.call('KEYS', ARGV[1])`, '0', pattern];
  const [found] = await sendToRedis(redisUrl, [count], timeoutMs);
  return Number(found);
}

/** Counts deliveries that have their own record, and those in blocks of a webhook. */
async function countDeliveries(redisUrl: string): Promise<number> {
  const script = `
    local count = 0
    for _, key in ipairs(redis.call('KEYS', '*:d:*')) do
      count = count + (string.find(key, ':w:', 1, true) and redis.call('HLEN', key) or 1)
    end
    return count`;
  const [found] = await sendToRedis(redisUrl, [['EVAL', script, '0']], timeoutMs);
  return Number(found);
}

function startSampling(take: () => Promise<MemorySample>) {
  const samples: MemorySample[] = [];
  let stopped = false;
  const done = (async () => {
    while (!stopped) {
      // A busy machine may fail to answer; that sample is omitted.
      const sample = await take().catch(() => undefined);
      if (sample !== undefined) samples.push(sample);
      await new Promise((resolve) => setTimeout(resolve, isLong ? 500 : 100));
    }
  })();
  return {
    taken: () => samples.length,
    async stop(): Promise<MemorySample[]> {
      stopped = true;
      await done;
      return samples;
    },
  };
}

/** Runs `run` `count` times, at most `width` at once. */
async function inParallel(count: number, width: number, run: (i: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({length: width}, async () => {
      while (next < count) await run(next++);
    }),
  );
}

function quarterOf(count: number, quarter: number): [number, number] {
  return [Math.floor((count * quarter) / 4), Math.ceil((count * (quarter + 1)) / 4)];
}

function median(samples: readonly MemorySample[]): number {
  return samples.map(({rss}) => rss).toSorted((a, b) => a - b)[Math.floor(samples.length / 2)] ?? 0;
}

function inMib(bytes: number): string {
  return (bytes / mib).toFixed(1);
}
