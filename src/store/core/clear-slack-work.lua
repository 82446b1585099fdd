#!lua flags=allow-oom
-- Drops Slack work of a workspace.
-- KEYS: the head, the due Slack work, then for each channel its pending items.
-- ARGV: for each channel, the name of its work.
-- Returns the number of dropped pieces of work.
if redis.call('HEXISTS', KEYS[1], 'cursor:slack') == 1 then return 0 end
for i, work in ipairs(ARGV) do
  redis.call('DEL', KEYS[i + 2])
  redis.call('ZREM', KEYS[2], work)
end
return #ARGV
