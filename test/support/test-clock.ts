import {createRedisClient} from '../../src/store/core/redis-client.js';
import type {TimeSource} from '../../src/store/core/time-source.js';
import {clockChannel, clockKey, clockLua, followersKey, shownClockLua, shownTime} from './follow-clock.mjs';
import type {TestStore} from './test-store.js';
import {until} from './until.js';

/**
 * A service's clock, which changes only when the test changes it. The store's scripts, `clock.now()` and the
 * wall clock of every connected process show its time. So a test can check the state a millisecond before
 * something is due, and again when it is due.
 *
 * The clock does not affect timers: a worker looks for due work once a second as usual, unless it is woken.
 * Leases use the clock: while a call is in progress, advance it only by seconds, or that call counts as lost.
 * Keys with an expiry in Redis use the clock of the Redis server.
 */
export interface TestClock {
  /** Returns the clock's time (Unix ms). */
  now(): number;
  /** Resolves when every process that uses this clock has received the time. */
  advance(ms: number): Promise<void>;
  set(ms: number): Promise<void>;
  /** The clock as an option for `startService({time})` and `composeService`. */
  readonly time: TimeSource;
  close(): Promise<void>;
}

/**
 * Creates a clock for the services on this database. It starts at the current time, or at `startAt` (Unix
 * ms). Create it before the services start.
 */
export async function createTestClock(redisUrl: string, startAt = Date.now()): Promise<TestClock> {
  const client = createRedisClient({url: redisUrl, tlsVerify: true, onError: () => undefined});
  await client.connect();
  const channel = clockChannel(redisUrl);
  let now = startAt;

  async function setTime(ms: number): Promise<void> {
    if (!Number.isInteger(ms)) throw new Error(`A clock says whole milliseconds, not ${ms}.`);
    await client.del(followersKey(ms));
    await client.set(clockKey, String(ms));
    now = ms;
    const subscribers = await client.publish(channel, String(ms));
    await until(
      async () => {
        const [heard, left] = await Promise.all([client.get(followersKey(ms)), client.pubSubNumSub(channel)]);
        // A process that was killed in the meantime never acknowledges the change.
        return Number(heard) >= Math.min(subscribers, left[channel] ?? 0);
      },
      {what: 'every process has heard of the time', withinMs: 5_000, everyMs: 1},
    );
    await client.del(followersKey(ms));
  }

  await setTime(startAt);
  return {
    now: () => now,
    advance: (ms) => setTime(now + ms),
    set: setTime,
    time: {lua: clockLua, now: () => now},
    close: async () => client.destroy(),
  };
}

/** Creates a clock for the services on a store of any kind. */
export async function createStoreClock(store: TestStore, startAt: number): Promise<TestClock> {
  const queueUrl = store.env['QUEUE_REDIS_URL'];
  if (store.kind === 'single' || queueUrl === undefined) return createTestClock(store.url, startAt);
  const listeners = await Promise.all(
    store.servers.map(async ({url}) => {
      const listener = createRedisClient({url, tlsVerify: true, onError: () => undefined});
      await listener.connect();
      return listener;
    }),
  );

  async function show(ms: number, before?: number): Promise<void> {
    for (const listener of listeners) await listener.subscribe(`${shownTime}${ms}`, () => undefined);
    if (before === undefined || before === ms) return;
    for (const listener of listeners) await listener.unsubscribe(`${shownTime}${before}`);
  }

  await show(startAt);
  const clock = await createTestClock(queueUrl, startAt);

  async function set(ms: number): Promise<void> {
    await show(ms, clock.now());
    await clock.set(ms);
  }

  return {
    ...clock,
    advance: (ms) => set(clock.now() + ms),
    set,
    time: {lua: shownClockLua, now: clock.now},
    async close() {
      for (const listener of listeners) listener.destroy();
      await clock.close();
    },
  };
}
