#!lua flags=allow-oom
-- Corrects the counted bytes of a workspace, if it still exists.
-- KEYS: the workspace's head.
-- ARGV: the number of bytes by which the count is wrong.
if redis.call('HEXISTS', KEYS[1], 'sequence') == 1 then
  redis.call('HINCRBY', KEYS[1], 'bytes', ARGV[1])
end
