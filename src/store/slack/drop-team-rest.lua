#!lua flags=allow-oom
-- Deletes the part of a set-up that was still to be done.
-- KEYS: its key, the due Slack work.
-- ARGV: the name of the work.
redis.call('ZREM', KEYS[2], ARGV[1])
return redis.call('DEL', KEYS[1])
