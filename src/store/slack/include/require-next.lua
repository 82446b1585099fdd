-- Ends a script if another process was faster, or if the event is not the one in the log.
-- KEYS: the workspace's head, the event log.
-- ARGV: the number, time (ms) and resource of the event.
--- @include "../../core/include/is-in-log"
if tonumber(redis.call('HGET', KEYS[1], 'cursor:slack') or '') ~= tonumber(ARGV[1]) - 1 then return 0 end
if not isInLog(KEYS[2], ARGV[1], ARGV[2], ARGV[3]) then return 0 end
