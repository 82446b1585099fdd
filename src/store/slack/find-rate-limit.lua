#!lua flags=no-writes
-- Returns the time (ms) until Slack accepts calls of a method again.
-- KEYS: the limit of the method.
--- @include "../core/include/exact-clock"
--- @include "include/rate-limit"
return math.ceil(math.max(0, math.min(endOfLimit(KEYS[1], now) - now, redis.call('PTTL', KEYS[1]))))
