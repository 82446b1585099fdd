-- Requires that no one has changed this part of a member's drafts since `changed` (ms; empty: there was
-- none, or only an expired one), and that there are as many parts as then.
--- @keys drafts
--- @args field, changed, count
--- @const stale, draftLifetime
local before = string.match(redis.call('HGET', drafts, field) or '', '^%d*')
if before ~= '' and tonumber(before) <= now - draftLifetime * 1000 then before = '' end
if before ~= changed or #redis.call('HKEYS', drafts) ~= tonumber(count) then return {stale, now, quota} end
