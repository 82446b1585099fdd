-- `k`, `now` and `state`: see claim-deliveries.lua.
local function throttledUntil(seconds)
  return redis.call('ZRANGE', k.starts, 0, 0, 'WITHSCORES')[2] + 1000 * seconds + 1
end

-- Returns how many more deliveries may be sent now and, if none, when this may change (nil: when a request
-- ends). An open circuit breaker allows one test when it is due, a recovering one a few requests at a time.
local function findRoom(cap, flying)
  local room, at = cap - flying, nil
  if state.breaker == 'open' then
    room = math.min(room, 1 - flying)
    -- A test request that is due impossibly late was planned before the clock was set back.
    local probe = tonumber(state.probe)
    if probe > now and probe - now <= tonumber(state.every) then room, at = 0, probe end
  elseif state.breaker == 'ramp' then
    room = math.min(room, state.ramp - flying)
  end
  local max, seconds = string.match(state.throttle or '', '^([1-9]%d*)/([1-9]%d*)$')
  if not max or room < 1 then return room, at end
  redis.call('ZREMRANGEBYSCORE', k.starts, '-inf', now - 1000 * seconds)
  redis.call('ZREMRANGEBYSCORE', k.starts, '(' .. string.format('%.0f', now), '+inf')
  local left = max - redis.call('ZCARD', k.starts)
  if left < 1 then at = throttledUntil(seconds) end
  return math.min(room, left), at, seconds, left
end
