#!lua flags=no-writes
-- Returns 1 if a workspace is read-only, or is being imported and not yet there.
-- KEYS: the workspace's head, the progress of its import.
local head = redis.call('HMGET', KEYS[1], 'sequence', 'frozen')
if head[2] then return 1 end
return head[1] and 0 or redis.call('EXISTS', KEYS[2])
