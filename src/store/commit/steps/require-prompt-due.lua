-- No one has looked at the reminder (or item of an inbox), or asked for it, since its due time was read: both
-- change the time.
--- @keys pending
--- @args item, due
--- @const stale
if tonumber(redis.call('ZSCORE', pending, item) or '') ~= tonumber(due) then return {stale, now, quota} end
