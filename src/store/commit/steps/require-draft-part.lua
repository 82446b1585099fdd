-- Requires that no one has changed this part of a member's drafts since `changed` (ms; empty: there was
-- none), and that there are as many parts as then.
--- @keys drafts
--- @args field, changed, count
--- @const stale
local before = string.match(redis.call('HGET', drafts, field) or '', '^%d*')
if before ~= changed or #redis.call('HKEYS', drafts) ~= tonumber(count) then return {stale, now, quota} end
