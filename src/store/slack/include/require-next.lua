-- Ends a script if another process was faster, if the event is not the one in the log, or if the workspace is
-- read-only.
-- KEYS: the workspace's head, the event log.
-- ARGV: the number, time (ms) and resource of the event.
--- @include "../../core/include/is-in-log"
local place = redis.call('HMGET', KEYS[1], 'cursor:slack', 'frozen')
if place[2] or tonumber(place[1] or '') ~= tonumber(ARGV[1]) - 1 then return 0 end
if not isInLog(KEYS[2], ARGV[1], ARGV[2], ARGV[3]) then return 0 end
