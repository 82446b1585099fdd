-- Requires that a list has more entries from a position on.
--- @keys list
--- @args limit, from
--- @const stale
if redis.call('ZCOUNT', list, from, '+inf') <= tonumber(limit) then return {stale, now, quota} end
