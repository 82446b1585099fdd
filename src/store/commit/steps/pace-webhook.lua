-- Sets how fast and in which order a webhook gets its deliveries. Empty values are unset. A new webhook has
-- no waiting deliveries.
--- @keys state, ready
--- @args work, concurrency, ordering, throttle
if redis.call('EXISTS', state) == 1 then redis.call('ZADD', ready, now, work) end
redis.call('HSET', state, 'concurrency', concurrency)
for field, value in pairs({ordering = ordering, throttle = throttle}) do
  if value == '' then redis.call('HDEL', state, field) else redis.call('HSET', state, field, value) end
end
