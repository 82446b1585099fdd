#!lua flags=allow-oom
-- Saves the part of a set-up that is still to be done.
-- KEYS: its key, the due Slack work.
-- ARGV: the name of the work, how long a process has it (ms), its content, the lifetime (s).
local due = redis.call('TIME')[1] * 1000 + tonumber(ARGV[2])
redis.call('SET', KEYS[1], ARGV[3], 'EX', ARGV[4])
redis.call('ZADD', KEYS[2], due, ARGV[1])
return 1
