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

/** The start of the name of a channel that shows the time (ms) to the scripts of a server. */
export const shownTime = `${clockKey}:shown:`;

/**
 * Lua code like `clockLua` for a store of several servers. A script on any of them may read no key of another
 * slot. So it reads the time from the name of a channel to which the clock listens on each server.
 */
export const shownClockLua = `(function()
  local ms = 0
  for _, name in ipairs(redis.call('PUBSUB', 'CHANNELS', '${shownTime}*')) do
    ms = math.max(ms, tonumber(string.sub(name, ${shownTime.length + 1})))
  end
  return {string.format('%.0f', math.floor(ms / 1000)), string.format('%.0f', ms % 1000 * 1000)}
end)()`;

/**
 * Returns the name of the channel on which a clock announces its changes. The name contains the database's
 * number, because a message reaches the clients of all databases of a server.
 */
export const clockChannel = (redisUrl) => `${clockKey}${new URL(redisUrl).pathname}`;

/**
 * Returns the key of the list of processes that have received this time, so that the clock can wait for them.
 */
export const followersKey = (ms) => `${clockKey}:followers:${ms}`;

/**
 * Makes another process follow the clock of a test. Resolves when the process knows the clock's time. From
 * then on the process confirms each change of the clock. A store of several servers has its clock in the Redis
 * of its queue.
 */
export async function followClock({redisUrl: storeUrl, queueRedisUrl}) {
  const isSeveral = storeUrl.startsWith('redis+');
  const redisUrl = isSeveral ? queueRedisUrl : storeUrl;
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
  return {lua: isSeveral ? shownClockLua : clockLua, now: () => now};
}
