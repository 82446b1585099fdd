-- Adds something to a member's inbox: `by` did `about` with a standup. An item that is read begins again.
-- The oldest items beyond the limit go. With `entry`, a message is sent later if the item stays unread. It
-- is about this, whatever follows that its member wants no message about. A muted conversation adds
-- nothing, unless the member is `named`, which ends the muting. `first` and `at` are those of
-- read-head.lua.
--- @keys inbox, unread, items, due, ready, muted
--- @args standup, reason, by, about, entry, work, named
--- @const inboxLifetime, inboxItems, noticeDelayMs
--- @include "../include/make-prompt-due"
if named == '1' then redis.call('ZREM', muted, standup) end
if not redis.call('ZSCORE', muted, standup) then
  local times, reasons, since = 1, reason, string.format('%.0f', first)
  local news = entry ~= '' and string.format(' %s %s %s', reason, by, about) or ''
  if redis.call('ZSCORE', unread, standup) then
    local item = redis.call('HGET', items, standup) or ''
    local before, given, begun, kept =
      string.match(item, '^(%d+) (%S+) %S+ %S+ %S+ %d+ ?(%d*)(.*)$')
    if before then
      times, reasons = before + 1, given
      if news == '' then news = kept end
      if begun ~= '' then since = begun end
    end
    local isNew = not string.find(',' .. reasons .. ',', ',' .. reason .. ',', 1, true)
    if isNew then reasons = reasons .. ',' .. reason end
  end
  redis.call('HSET', items, standup,
    string.format('%d %s %s %s %s %.0f %s%s', times, reasons, reason, by, about, at, since, news))
  redis.call('ZADD', inbox, first, standup)
  redis.call('ZADD', unread, first, standup)
  if entry ~= '' then makePromptDue(due, ready, entry, work, now + noticeDelayMs) end
  for _, gone in ipairs(redis.call('ZRANGE', inbox, 0, -1 - inboxItems)) do
    redis.call('ZREM', inbox, gone)
    redis.call('ZREM', unread, gone)
    redis.call('HDEL', items, gone)
  end
  redis.call('EXPIRE', inbox, inboxLifetime)
  redis.call('EXPIRE', unread, inboxLifetime)
  redis.call('EXPIRE', items, inboxLifetime)
else
  -- A muting ends with the conversation, not some time after it began.
  redis.call('ZADD', muted, now, standup)
end
redis.call('EXPIRE', muted, inboxLifetime)
