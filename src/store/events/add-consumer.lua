#!lua flags=allow-oom
-- Adds a reader of the log, or repeats its heartbeat.
-- KEYS: the workspace's head.
-- ARGV: the name of the reader.
--- @include "include/rounded-clock"
local sequence = redis.call('HGET', KEYS[1], 'sequence')
if not sequence then return 0 end
redis.call('HSETNX', KEYS[1], 'cursor:' .. ARGV[1], sequence)
redis.call('HSET', KEYS[1], 'run:' .. ARGV[1], now)
return 1
