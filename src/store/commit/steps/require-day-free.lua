-- Requires that a list has no entry on a day.
--- @keys list
--- @args from, to
--- @const stale
if redis.call('ZCOUNT', list, from, to) > 0 then return {stale, now, quota} end
