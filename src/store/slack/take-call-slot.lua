#!lua flags=allow-oom
-- Asks whether a method may be called.
-- KEYS: the time until which Slack accepts no call, the rate of calls so far, the waiting low-priority
-- items.
-- ARGV: the interval (ms), the low-priority item or ''.
--- @include "include/rate-limit"
--- @include "../core/include/clock"
local atOnce = 10
-- The number of calls to Slack for low-priority items that may be made at once, before the steady pace.
local behindAtOnce = 4
-- Low-priority items may call at least once in this many intervals, whatever else is waiting.
local leastOften = 8
-- The time after which a waiting item that has not asked again is forgotten.
local queueSeconds = 1800
local throttle, slots, queue, name = KEYS[1], KEYS[2], KEYS[3], ARGV[2]
local interval = tonumber(ARGV[1])
local ends = endOfLimit(throttle, now) - now
local held = math.ceil(math.max(0, math.min(ends, redis.call('PTTL', throttle))))
local free = math.max(tonumber(redis.call('HGET', slots, 'free') or '') or 0, now)
-- A time that is too late was noted before the clock was set back.
if free > now + atOnce * interval then free = now end
local function ahead(most) return math.max(held, free - now - (most - 1) * interval) end
if name == '' then
  local wait = ahead(atOnce)
  if wait > held then limitUntil(throttle, now, wait) end
  if wait > 0 then return wait end
else
  redis.call('ZREMRANGEBYSCORE', queue, '-inf', now - queueSeconds * 1000)
  local isNew = redis.call('ZADD', queue, 'NX', now, name) == 1
  redis.call('EXPIRE', queue, queueSeconds)
  local before = redis.call('ZRANK', queue, name)
  local first = tonumber(redis.call('ZRANGE', queue, 0, 0, 'WITHSCORES')[2])
  local last = math.max(first, tonumber(redis.call('HGET', slots, 'last') or '') or 0)
  if last > now then last = 0 end
  local wait = ahead(now - last >= leastOften * interval and atOnce or behindAtOnce)
  if wait > 0 or (isNew and before > 0) then return wait + before * interval end
  redis.call('ZREM', queue, name)
  redis.call('HSET', slots, 'last', now)
end
redis.call('HSET', slots, 'free', free + interval)
redis.call('PEXPIRE', slots, 60000)
return 0
