#!lua flags=allow-oom
-- Moves the position past one event, and records what its channel should show and which messages change.
-- KEYS: the workspace's head, the event log, the due Slack work, then for a standup to show: its message
-- record, the pending items of its channel, then for each request: the record of its item, the pending items
-- of its channel.
-- ARGV: the number, time (ms) and resource of the event, the requests (JSON, see `packRefreshes` in slack-
-- refreshes.ts), then for the standup: its id suffix, the name of the channel's work, the revision to show,
-- the lifetime (s), the fields that say where it is shown.
-- Returns 1, or 0 when the log's position is another one.
--- @include "include/require-next"
--- @include "../core/include/exact-clock"
--- @include "include/request-again"
--- @include "include/note-refreshes"
local refreshes = cjson.decode(ARGV[4])
local before = #KEYS - 2 * #refreshes
if before > 3 then
  for i = 9, #ARGV, 2 do redis.call('HSETNX', KEYS[4], ARGV[i], ARGV[i + 1]) end
  redis.call('HSET', KEYS[4], 'want', ARGV[7])
  redis.call('HDEL', KEYS[4], 'failures', 'failed')
  redis.call('EXPIRE', KEYS[4], ARGV[8])
  redis.call('ZADD', KEYS[5], now, ARGV[5])
  redis.call('ZADD', KEYS[3], 'LT', now, ARGV[6])
end
noteRefreshes(refreshes, before, KEYS[3], now)
redis.call('HSET', KEYS[1], 'cursor:slack', ARGV[1])
return 1
