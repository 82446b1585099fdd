#!lua flags=allow-oom
-- Hides the data of a workspace that was exported with this digest, so that it can be removed step by step.
-- KEYS: the workspace's head.
-- ARGV: the digest.
-- Returns 1, or 0 if it is not read-only or was exported with another digest.
local head = redis.call('HMGET', KEYS[1], 'frozen', 'exported')
if not head[1] or head[2] ~= ARGV[1] then return 0 end
redis.call('HDEL', KEYS[1], 'sequence')
return 1
