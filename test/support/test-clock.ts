import {createRedisClient} from '../../src/store/core/redis-client.js';
import type {TimeSource} from '../../src/store/core/time-source.js';
import {clockChannel, clockKey, clockLua, followersKey} from './follow-clock.mjs';
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
