#!lua flags=allow-oom
-- Replaces the part of a set-up that is still to be done.
-- KEYS: its key.
-- ARGV: the new content.
return redis.call('SET', KEYS[1], ARGV[1], 'XX', 'KEEPTTL')
