#!lua flags=allow-oom
-- Postpones work.
-- KEYS: the due Slack work.
-- ARGV: the name of the work, the delay (ms).
local time = redis.call('TIME')
return redis.call('ZADD', KEYS[1], 'XX', time[1] * 1000 + tonumber(ARGV[2]), ARGV[1])
