#!lua flags=allow-oom
-- Takes a channel for one worker, and returns its first due item. If there is none, releases the channel.
-- In a read-only workspace there is none.
-- KEYS: the lease of the channel, its pending items, the due Slack work, the workspace's head.
-- ARGV: the lease holder, the length of the lease (ms; 0 releases it), the name of the channel's work.
-- Returns 'busy', 'idle', 'more', or 'due' with the item and the time of its request.
--- @include "../core/include/exact-clock"
-- The longest lease that a worker takes on a channel.
local longestLeaseMs = 120000
local holder = redis.call('GET', KEYS[1])
-- A lease that ends impossibly late is ignored: the clock was set back after a worker took it.
if holder and holder ~= 'paused' and redis.call('PTTL', KEYS[1]) > longestLeaseMs then holder = false end
if holder and holder ~= ARGV[1] then
  if redis.call('EXISTS', KEYS[2]) == 1 then
    redis.call('ZADD', KEYS[3], now + math.max(redis.call('PTTL', KEYS[1]), 1), ARGV[3])
  else
    redis.call('ZREM', KEYS[3], ARGV[3])
  end
  return {'busy'}
end
local first = redis.call('ZRANGE', KEYS[2], 0, 0, 'WITHSCORES')
local due = first[2] and tonumber(first[2]) <= now and redis.call('HEXISTS', KEYS[4], 'frozen') == 0
if due and ARGV[2] ~= '0' then
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
  redis.call('ZADD', KEYS[3], now + ARGV[2], ARGV[3])
  return {'due', first[1], first[2]}
end
if holder then redis.call('DEL', KEYS[1]) end
if first[2] then redis.call('ZADD', KEYS[3], first[2], ARGV[3]) else redis.call('ZREM', KEYS[3], ARGV[3]) end
return {due and 'more' or 'idle'}
