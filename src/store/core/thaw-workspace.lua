#!lua flags=allow-oom
-- Ends the read-only state of a workspace.
-- KEYS: the workspace's head, its due work, its due Slack work: the caller's connection lists it as due.
-- Returns 1 if it was read-only, 2 if it was also exported, 3 while it is removed, 0 otherwise.
-- Part of the data may be gone already, and the removal needs the digest to go on.
if redis.call('HEXISTS', KEYS[1], 'removing') == 1 then return 3 end
local exported = redis.call('HDEL', KEYS[1], 'exported')
local frozen = redis.call('HDEL', KEYS[1], 'frozen')
return frozen == 0 and 0 or 1 + exported
