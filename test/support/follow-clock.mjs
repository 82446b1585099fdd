// Lets a service use a test's clock instead of the machine's: see test-clock.ts. Plain JavaScript, since
// child processes run it too.
import {createClient} from 'redis';

/** The clock's key in the service's own database: Unix ms. */
export const clockKey = 'test-clock';

/** Replaces `redis.call('TIME')`: the clock's time, in seconds and microseconds. */
export const clockLua = `(function()
  local ms = tonumber(redis.call('GET', '${clockKey}'))
  return {string.format('%.0f', math.floor(ms / 1000)), string.format('%.0f', ms % 1000 * 1000)}
end)()`;

/** Messages reach all databases of a server, so the channel names the database. */
export const clockChannel = (redisUrl) => `${clockKey}${new URL(redisUrl).pathname}`;

/** The processes that have received this time. */
export const followersKey = (ms) => `${clockKey}:followers:${ms}`;

/** The clock of another process. Resolves when it is known, and then acknowledges each change. */
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
  // A change received before this read is newer, so keep it.
  const read = Number(await reader.get(clockKey));
  if (Number.isNaN(now)) now = read;
  return {lua: clockLua, now: () => now};
}
