-- Adds something to a member's inbox: `by` did `about` with a standup. An item that is read begins again. The
-- oldest items beyond the limit go. `first` and `at` are those of read-head.lua.
--- @keys inbox, unread, items
--- @args standup, reason, by, about
--- @const inboxLifetime, inboxItems
local times, reasons = 1, reason
if redis.call('ZSCORE', unread, standup) then
  local before, given = string.match(redis.call('HGET', items, standup) or '', '^(%d+) (%S+)')
  if before then times, reasons = before + 1, given end
  local isNew = not string.find(',' .. reasons .. ',', ',' .. reason .. ',', 1, true)
  if isNew then reasons = reasons .. ',' .. reason end
end
redis.call('HSET', items, standup,
  string.format('%d %s %s %s %s %.0f', times, reasons, reason, by, about, at))
redis.call('ZADD', inbox, first, standup)
redis.call('ZADD', unread, first, standup)
for _, gone in ipairs(redis.call('ZRANGE', inbox, 0, -1 - inboxItems)) do
  redis.call('ZREM', inbox, gone)
  redis.call('ZREM', unread, gone)
  redis.call('HDEL', items, gone)
end
redis.call('EXPIRE', inbox, inboxLifetime)
redis.call('EXPIRE', unread, inboxLifetime)
redis.call('EXPIRE', items, inboxLifetime)
