-- Returns how many deliveries of a webhook may be sent at once: none if others wait, and none if the claim
-- script has more to decide, about an order, a throttle, or a receiver that is slow or has failed.
-- `k.cap`: the number of requests that the webhook may have.
--- @const pendingPerWebhook
local function countFreeRequests(k, concurrency)
  local number, ordering, cap, off, throttle, breaker, streak, slow = unpack(redis.call('HMGET', k.state,
    'n', 'ordering', 'concurrency', 'off', 'throttle', 'breaker', 'streak', 'slow'))
  k.number, k.ordered = tonumber(number or '') or 0, ordering == 'per_team'
  k.cap = tonumber(cap or '') or concurrency
  local isThrottled = string.match(throttle or '', '^[1-9]')
  local isWatched = k.ordered or off or isThrottled or breaker or streak or slow
  if isWatched or k.room < pendingPerWebhook then return 0 end
  return k.cap - redis.call('ZCARD', k.inflight) - redis.call('ZCARD', k.replaying)
end
