#!lua flags=allow-oom
-- Makes a workspace read-only.
-- KEYS: the workspace's head.
-- Returns the time (ms) since which it is, or nothing without a workspace.
--- @include "include/clock"
if redis.call('HEXISTS', KEYS[1], 'sequence') == 0 then return end
redis.call('HSETNX', KEYS[1], 'frozen', string.format('%.0f', now))
return redis.call('HGET', KEYS[1], 'frozen')
