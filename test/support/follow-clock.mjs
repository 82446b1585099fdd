// What a service needs to go by a test's clock instead of the machine's: see test-clock.ts. Plain JavaScript, since child processes run it too.
import {createClient} from 'redis';

/** The clock stands in the service's own database: Unix ms. */
export const clockKey = 'test-clock';

/** In place of `redis.call('TIME')`: what the clock says, in seconds and microseconds. */
export const clockLua = `(function()
  local ms = tonumber(redis.call('GET', '${clockKey}'))
  return {string.format('%.0f', math.floor(ms / 1000)), string.format('%.0f', ms % 1000 * 1000)}
end)()`;

/** Messages pass between all databases of a server, so the channel names the database. */
export const clockChannel = (redisUrl) => `${clockKey}${new URL(redisUrl).pathname}`;

/** Who has come to know that the clock says this. */
export const followersKey = (ms) => `${clockKey}:followers:${ms}`;

/** The clock of another process. Resolves when it is known, and from then on says of each change that it has heard of it. */
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
  // A change between the two has been heard of, and is not undone by what was read before it.
  const read = Number(await reader.get(clockKey));
  if (Number.isNaN(now)) now = read;
  return {lua: clockLua, now: () => now};
}
