#!lua flags=allow-oom
-- Ends a replay that has reached its last event and has no unfinished deliveries.
-- KEYS: the replay, the webhook's state, the due work.
-- ARGV: the replay's id suffix, the name of its work.
--- @const replayLifetime
local at = redis.call('HMGET', KEYS[1], 'state', 'cursor', 'last')
if at[1] == 'running' and tonumber(at[2]) >= tonumber(at[3]) then
  local time = redis.call('TIME')
  redis.call('HSET', KEYS[1], 'state', 'completed', 'ended', time[1] * 1000 + math.floor(time[2] / 1000))
  redis.call('EXPIRE', KEYS[1], replayLifetime)
  if redis.call('HGET', KEYS[2], 'replay') == ARGV[1] then redis.call('HDEL', KEYS[2], 'replay') end
end
redis.call('ZREM', KEYS[3], ARGV[2])
return 1
