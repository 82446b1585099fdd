#!lua flags=allow-oom
-- Replaces the part of a set-up that is still to be done, unless another process has changed it.
-- KEYS: its key.
-- ARGV: the content that was read, the new content.
-- Returns 1, or 0 when the content is another one.
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'KEEPTTL')
return 1
