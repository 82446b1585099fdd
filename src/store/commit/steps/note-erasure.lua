-- Adds what the same commit deletes to the counts of an erasure. A finished erasure stays finished, even if
-- its job runs again. `counts`: kinds, each followed by a number.
--- @keys erasure
--- @args state, counts...
--- @const erasureLifetime
if (redis.call('HGET', erasure, 'state') or 'done') ~= 'done' then
  redis.call('HSET', erasure, 'state', state)
  for i = 1, #counts, 2 do redis.call('HINCRBY', erasure, counts[i], counts[i + 1]) end
  if state == 'done' then
    redis.call('HSET', erasure, 'ended', now)
    redis.call('HDEL', erasure, 'member')
  end
  redis.call('EXPIRE', erasure, erasureLifetime)
end
