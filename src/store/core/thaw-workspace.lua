#!lua flags=allow-oom
-- Ends the read-only state of a workspace.
-- KEYS: the workspace's head, its due work, its due Slack work: the caller's connection lists it as due.
-- Returns 1 if it was read-only.
redis.call('HDEL', KEYS[1], 'exported')
return redis.call('HDEL', KEYS[1], 'frozen')
