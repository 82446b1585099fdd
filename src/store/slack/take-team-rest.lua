#!lua flags=allow-oom
-- Takes the part of a set-up that is still to be done.
-- KEYS: its key, the due Slack work.
-- ARGV: the name of the work, how long a process has it (ms).
local due = redis.call('TIME')[1] * 1000 + tonumber(ARGV[2])
local rest = redis.call('GET', KEYS[1])
if rest then redis.call('ZADD', KEYS[2], due, ARGV[1]) else redis.call('ZREM', KEYS[2], ARGV[1]) end
return rest
