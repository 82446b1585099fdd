-- Cancels a replay. No more deliveries are created for it.
--- @keys replay, state, ready
--- @args suffix, work
--- @const replayLifetime
if redis.call('HGET', replay, 'state') == 'running' then
  redis.call('HSET', replay, 'state', 'cancelled', 'ended', now)
  redis.call('EXPIRE', replay, replayLifetime)
  redis.call('ZADD', ready, now, work)
end
if redis.call('HGET', state, 'replay') == suffix then redis.call('HDEL', state, 'replay') end
