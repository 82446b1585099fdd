#!lua flags=allow-oom
-- Releases a slug that a workspace has.
-- KEYS: the slugs; then, unless other slugs of it stay, the workspaces, from which it is removed.
-- ARGV: the slug, the workspace.
-- Returns 1, or 0 if the workspace does not have it.
if redis.call('HGET', KEYS[1], ARGV[1]) == ARGV[2] then
  if KEYS[2] then redis.call('SREM', KEYS[2], ARGV[2]) end
  return redis.call('HDEL', KEYS[1], ARGV[1])
end
return 0
