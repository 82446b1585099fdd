import {createRedisClient} from '../src/store/core/redis-client.js';
import type {TimeSource} from '../src/store/core/time-source.js';

const key = 'demo-clock';

/** A clock that one process and its Redis share. It runs as fast as the demonstration is played. */
export interface PlayedClock {
  readonly time: TimeSource;
  set(ms: number): Promise<void>;
  /** Lets Redis use the real time again. */
  close(): Promise<void>;
}

/** Empties the database, then starts the clock at `startsAt` (ms). */
export async function createPlayedClock(redisUrl: string, startsAt: number): Promise<PlayedClock> {
  const client = createRedisClient({url: redisUrl, tlsVerify: true, onError: () => undefined});
  await client.connect();
  await client.flushDb();
  let now = startsAt;
  const clock: PlayedClock = {
    time: {
      lua: `(function()
  local ms = tonumber(redis.call('GET', '${key}'))
  return {string.format('%.0f', math.floor(ms / 1000)), string.format('%.0f', ms % 1000 * 1000)}
end)()`,
      now: () => now,
    },
    async set(ms) {
      await client.set(key, String(Math.round(ms)));
      now = Math.round(ms);
    },
    async close() {
      await client.del(key);
      client.destroy();
    },
  };
  await clock.set(startsAt);
  return clock;
}
