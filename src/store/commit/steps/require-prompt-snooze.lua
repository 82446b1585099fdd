-- The reminder has the same recipient, and is snoozed until the same time, as when it was read.
--- @keys prompt
--- @args user, snoozedUntil
--- @const stale
local kept = redis.call('HMGET', prompt, 'user', 'snoozed')
if kept[1] ~= user or (kept[2] or '') ~= snoozedUntil then return {stale, now, quota} end
