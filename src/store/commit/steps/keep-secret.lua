-- Replaces the secret of a webhook. The earlier ones stay valid for a while.
--- @keys secret, earlier, earliest
--- @args encrypted, overlapMs
local current, overlap = redis.call('GET', secret), tonumber(overlapMs)
local left = redis.call('PTTL', earlier)
if current and overlap > 0 then
  if left > 0 then redis.call('SET', earliest, redis.call('GET', earlier), 'PX', math.min(left, overlap)) end
  redis.call('SET', earlier, current, 'PX', overlap)
else
  redis.call('DEL', earlier, earliest)
end
redis.call('SET', secret, encrypted)
