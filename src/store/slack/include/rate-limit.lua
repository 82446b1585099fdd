-- The time at which Slack accepts calls of a method again. The limit has that time and its duration (ms).
local function endOfLimit(throttle, now)
  local ends, length = string.match(redis.call('GET', throttle) or '', '^(%d+) (%d+)$')
  -- A limit that would end impossibly late was noted before the clock was set back, so it is ignored.
  if not ends or tonumber(ends) - now > tonumber(length) + 1000 then return now end
  return math.max(now, tonumber(ends))
end

local function limitUntil(throttle, now, wait)
  redis.call('SET', throttle, string.format('%.0f %.0f', now + wait, wait), 'PX', math.ceil(wait))
end
