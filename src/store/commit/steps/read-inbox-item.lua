-- Marks an item of an inbox as read, unless something happened after the event `last`.
--- @keys unread
--- @args standup, last
local sequenceOfItem = redis.call('ZSCORE', unread, standup)
if sequenceOfItem and tonumber(sequenceOfItem) <= tonumber(last) then redis.call('ZREM', unread, standup) end
