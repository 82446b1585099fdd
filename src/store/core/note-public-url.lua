#!lua flags=allow-oom
-- Stores the public URL.
-- KEYS: the hash of the installation.
-- ARGV: the public URL.
redis.call('HSET', KEYS[1], 'public_url', ARGV[1])
