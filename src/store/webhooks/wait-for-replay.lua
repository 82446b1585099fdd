#!lua flags=allow-oom
-- Schedules the next step of a replay. A replay of a disabled webhook is scheduled again when the webhook is
-- enabled.
-- KEYS: the webhook's state, the due work.
-- ARGV: the name of the replay's work, the wait (ms), 1 when the replay may continue while the webhook is
-- disabled.
--- @include "../core/include/clock"
if ARGV[3] ~= '1' and redis.call('HEXISTS', KEYS[1], 'off') == 1 then
  redis.call('ZREM', KEYS[2], ARGV[1])
else
  redis.call('ZADD', KEYS[2], now + ARGV[2], ARGV[1])
end
return 1
