#!lua flags=allow-oom
-- Notes the digest of an exported file, if the workspace is still read-only since the same time.
-- KEYS: the workspace's head.
-- ARGV: since when the workspace is read-only, the digest.
-- Returns 1 if it was noted.
if redis.call('HGET', KEYS[1], 'frozen') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'exported', ARGV[2])
return 1
