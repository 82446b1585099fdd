#!lua flags=allow-oom
-- Postpones work while there is no token. Checked in the same step, so that no new connection is missed.
-- KEYS: the token, the due Slack work.
-- ARGV: the name of the work, the delay (ms).
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
local time = redis.call('TIME')
return redis.call('ZADD', KEYS[2], 'XX', time[1] * 1000 + tonumber(ARGV[2]), ARGV[1])
