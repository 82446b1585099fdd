/**
 * A Redis script that writes the record, three list entries, the event and the idempotency record of a
 * standup.
 */
export const smallScript = `#!lua
local kept = redis.call('GET', KEYS[6])
if kept then return {0, kept} end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local sequence = redis.call('HINCRBY', KEYS[7], 'sequence', 1)
redis.call('SET', KEYS[1], ARGV[2])
for i = 2, 4 do redis.call('ZADD', KEYS[i], sequence, ARGV[1]) end
local entry = string.format('%.0f-0', sequence)
redis.call('XADD', KEYS[5], entry, 'i', ARGV[1], 't', 'standup.created', 'a', ARGV[1], 'r', '1')
redis.call('SET', KEYS[6], ARGV[1], 'EX', 86400)
return {now, sequence}`;

/**
 * Returns the arguments of EVALSHA after the digest: the number of keys, the keys, and the other arguments.
 */
export function createSmallCommand(id: string, idempotencyKey: string, body: string): string[] {
  const keys = [`r:${id}`, 'l:all', 'l:team', 'l:author', 'events', `i:${idempotencyKey}`, 'head'];
  return [String(keys.length), ...keys.map((name) => `{ceiling}:${name}`), id, body];
}
