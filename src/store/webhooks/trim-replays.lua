#!lua flags=allow-oom
-- Removes old replays from a webhook's list.
-- KEYS: the webhook's list of replays, the counted results of its replays.
-- ARGV: the id suffixes of the replays to remove.
for _, replay in ipairs(ARGV) do
  redis.call('ZREM', KEYS[1], replay)
  redis.call('HDEL', KEYS[2], replay .. ':succeeded', replay .. ':failed')
end
return 1
