#!lua
-- Assigns a Slack workspace to one of ours.
-- KEYS: the hash from Slack ids to our workspaces.
-- ARGV: the Slack id, our workspace, `1` if our workspace must have no other Slack workspace.
-- Returns our workspace, or nothing.
local known = redis.call('HGET', KEYS[1], ARGV[1])
if known then return known end
if ARGV[3] == '1' then
  for _, taken in ipairs(redis.call('HVALS', KEYS[1])) do
    if taken == ARGV[2] then return false end
  end
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
return ARGV[2]
