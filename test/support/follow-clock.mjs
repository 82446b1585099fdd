// Lets a service use a test's clock instead of the machine's (test-clock.ts). It is plain JavaScript, since
// child processes run it too.
import {createClient} from 'redis';

/** Key of the clock's time (Unix ms) in the service's own database. */
export const clockKey = 'test-clock';

/** Lua code that replaces `redis.call('TIME')` with the clock's time, in seconds and microseconds. */
export const clockLua = `(function()
  local ms = tonumber(redis.call('GET', '${clockKey}'))
  return {string.format('%.0f', math.floor(ms / 1000)), string.format('%.0f', ms % 1000 * 1000)}
end)()`;

/**
 * Name of the channel for clock changes. It names the database, since messages reach all databases of a
 * server.
 */
export const clockChannel = (redisUrl) => `${clockKey}${new URL(redisUrl).pathname}`;

/** Key of the processes that have received this time. */
export const followersKey = (ms) => `${clockKey}:followers:${ms}`;

/**
 * Follows a test clock in another process. Resolves when the time is known; from then on acknowledges each
 * change.
 */
export async function followClock(redisUrl) {
  const [reader, listener] = await Promise.all(
    [0, 1].map(async () => {
      const client = createClient({url: redisUrl, RESP: 2});
      client.on('error', () => {});
      await client.connect();
      return client;
    }),
  );
  let now = Number.NaN;
  await listener.subscribe(clockChannel(redisUrl), (message) => {
    now = Number(message);
    reader.incr(followersKey(message)).catch(() => {});
  });
  // A change that arrived before this read is newer, so the change is kept.
  const read = Number(await reader.get(clockKey));
  if (Number.isNaN(now)) now = read;
  return {lua: clockLua, now: () => now};
}
