#!lua flags=allow-oom
-- Makes the items of a channel due again.
-- KEYS: the channel's problem, the lease, the pending items, the due Slack work, the workspace's head, then
-- for each item that was given up: its record.
-- ARGV: the name of the channel's work, then the items that were given up. A mark of a call with an unknown
-- result is removed, because a person has checked the channel. The mark of a call in progress stays.
-- A worker may hold the channel: the changed scores tell it that its item was requested again.
-- Returns 1, or 0 in a read-only workspace.
--- @include "../core/include/exact-clock"
if redis.call('HEXISTS', KEYS[5], 'frozen') == 1 then return 0 end
local trouble, lease, pending, ready = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
if redis.call('GET', lease) == 'paused' then redis.call('DEL', lease) end
local idle = redis.call('EXISTS', lease) == 0
for i = 6, #KEYS do
  local mark = redis.call('HGET', trouble, 'lost:' .. ARGV[i - 4])
  redis.call('HDEL', trouble, 'lost:' .. ARGV[i - 4])
  if mark and redis.call('EXISTS', KEYS[i]) == 1 then
    redis.call('HDEL', KEYS[i], 'failed', 'failures')
    local ended = idle or redis.call('HGET', KEYS[i], 'sending') == mark
    -- The earlier message may have arrived after all, so the next one is not posted as if it were the first.
    if ended and redis.call('HDEL', KEYS[i], 'sending', 'part') > 0 then
      redis.call('HSET', KEYS[i], 'again', '1')
    end
    redis.call('ZADD', pending, 'NX', now, ARGV[i - 4])
  end
end
for i, member in ipairs(redis.call('ZRANGE', pending, 0, -1)) do
  if redis.call('ZADD', pending, 'LT', 'CH', now + i / 1000 - 1, member) == 0 then
    redis.call('ZINCRBY', pending, '0.001', member)
  end
end
if redis.call('EXISTS', trouble) == 1 then redis.call('HSET', trouble, 'retried', '1') end
redis.call('ZADD', ready, 'LT', now, ARGV[1])
return 1
