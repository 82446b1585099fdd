#!lua flags=allow-oom
-- Records that Slack accepts no call of a method from a workspace for a while. The longer of two limits
-- counts.
-- KEYS: the limit of the method.
-- ARGV: the wait (ms).
--- @include "../core/include/exact-clock"
--- @include "include/rate-limit"
local wait = tonumber(ARGV[1])
if endOfLimit(KEYS[1], now) - now < wait then limitUntil(KEYS[1], now, wait) end
return 1
