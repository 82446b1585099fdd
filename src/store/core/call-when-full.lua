#!lua flags=allow-oom
-- Runs a command that also works on a full store.
-- KEYS: its key.
-- ARGV: the command, its other arguments.
return redis.call(ARGV[1], KEYS[1], unpack(ARGV, 2))
