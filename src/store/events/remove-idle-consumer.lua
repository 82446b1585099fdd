#!lua flags=allow-oom
-- Removes an idle reader of the log.
-- KEYS: the workspace's head, the due work.
-- ARGV: the name of the reader, the allowed time without a heartbeat (ms), the name of its work.
-- Returns 1 when the reader does not exist afterwards.
--- @include "include/rounded-clock"
local cursor, run = 'cursor:' .. ARGV[1], 'run:' .. ARGV[1]
if redis.call('HEXISTS', KEYS[1], cursor) == 0 then return 1 end
redis.call('HSETNX', KEYS[1], run, now)
if now - redis.call('HGET', KEYS[1], run) < tonumber(ARGV[2]) then return 0 end
redis.call('HDEL', KEYS[1], cursor, run)
redis.call('ZREM', KEYS[2], ARGV[3])
return 1
