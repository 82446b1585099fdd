import {createRedisClient} from '../../src/store/core/connection.js';
import type {TimeSource} from '../../src/store/core/time-source.js';
import {clockChannel, clockKey, clockLua, followersKey} from './follow-clock.mjs';
import {until} from './until.js';

/**
 * The time of a service as a test wants it. It stands still until the test moves it, for the store's scripts, for `clock.now()` and for the
 * wall clock of every process that goes by it, so that what is due in a day can be looked at a millisecond before and again when it is due.
 *
 * It moves no timers: a worker looks for due work once a second as ever, unless it is woken. Leases go by it, so move it by seconds only
 * while nothing is on the wire, or what is counts as lost. Keys that Redis lets expire by itself go by the clock of the Redis server.
 */
export interface TestClock {
  /** Unix ms. */
  now(): number;
  /** Resolves when every process that goes by this clock has heard of it. */
  advance(ms: number): Promise<void>;
  set(ms: number): Promise<void>;
  /** For `startService({time})` and `composeService`. */
  readonly time: TimeSource;
  close(): Promise<void>;
}

/** A clock for the services on this database, from now on or from `startAt` (Unix ms). Make it before they are started. */
export async function createTestClock(redisUrl: string, startAt = Date.now()): Promise<TestClock> {
  const client = createRedisClient({url: redisUrl, tlsVerify: true, onError: () => undefined});
  await client.connect();
  const channel = clockChannel(redisUrl);
  let now = startAt;

  async function set(ms: number): Promise<void> {
    if (!Number.isInteger(ms)) throw new Error(`A clock says whole milliseconds, not ${ms}.`);
    await client.del(followersKey(ms));
    await client.set(clockKey, String(ms));
    now = ms;
    const told = await client.publish(channel, String(ms));
    await until(
      async () => {
        const [heard, left] = await Promise.all([client.get(followersKey(ms)), client.pubSubNumSub(channel)]);
        // One that has been killed meanwhile will never say so.
        return Number(heard) >= Math.min(told, left[channel] ?? 0);
      },
      {what: 'every process has heard of the time', withinMs: 5_000, everyMs: 1},
    );
    await client.del(followersKey(ms));
  }

  await set(startAt);
  return {
    now: () => now,
    advance: (ms) => set(now + ms),
    set,
    time: {lua: clockLua, now: () => now},
    close: async () => client.destroy(),
  };
}
