#!lua flags=allow-oom
-- Starts the tries of a new code, which replaces the last one. It does the same whether or not anybody has
-- the address.
-- KEYS: the code, the quota of the address.
-- ARGV: the hash of the code, the time (ms) before another code, its lifetime (ms), its tries, the costs of a
-- code in an hour and in a day (step and span, in µs).
-- Returns the time (ms), and the time (ms) after which a code may be asked for; 0 if this one was started.
--- @include "../core/include/clock"
--- @include "../core/include/take-quota"
local since = tonumber(redis.call('HGET', KEYS[1], 'at') or 0)
local pause = tonumber(ARGV[2])
-- A code from the future was made before the clock was set back.
if since <= now and now - since < pause then return {now, pause - (now - since)} end
local quota, over = takeQuota(KEYS[2], redis.call('GET', KEYS[2]), now, ARGV[5], ARGV[6], ARGV[7], ARGV[8])
if over then
  local hour, day = string.match(quota, '^(%d+) (%d+)$')
  local wait = math.max(hour + ARGV[5] - ARGV[6], day + ARGV[7] - ARGV[8]) - now * 1000
  return {now, math.max(1, math.ceil(wait / 1000))}
end
redis.call('HSET', KEYS[1], 'code', ARGV[1], 'at', now, 'left', ARGV[4])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return {now, 0}
