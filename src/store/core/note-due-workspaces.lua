#!lua flags=allow-oom
-- Adds workspaces with new work to the index. A workspace that is already due keeps its position but gets
-- another score, because a process that is checking it may have missed the new work.
-- KEYS: the index.
-- ARGV: the ids of the workspaces.
--- @include "include/clock"
for _, workspace in ipairs(ARGV) do
  local score = tonumber(redis.call('ZSCORE', KEYS[1], workspace) or '')
  local due = score and score <= now and score + 0.001 or now
  redis.call('ZADD', KEYS[1], string.format('%.3f', due), workspace)
end
