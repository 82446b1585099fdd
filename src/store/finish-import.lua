#!lua
-- Creates the head of an imported workspace, which makes it visible.
-- KEYS: the workspace's head, its due work, its due Slack work: the caller's connection lists it as due.
-- ARGV: the fields of the head with their values.
-- Returns 1, or 0 if the workspace exists already.
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
for i = 1, #ARGV, 2 do redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1]) end
return 1
