#!lua flags=allow-oom
-- Corrects the counted bytes of a workspace, if it still exists and is not read-only.
-- KEYS: the workspace's head.
-- ARGV: the number of bytes by which the count is wrong.
local head = redis.call('HMGET', KEYS[1], 'sequence', 'frozen')
if head[1] and not head[2] then
  redis.call('HINCRBY', KEYS[1], 'bytes', ARGV[1])
end
