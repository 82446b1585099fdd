-- Requires that a list has exactly these entries.
--- @keys list
--- @args entries
--- @const stale
if table.concat(redis.call('ZRANGE', list, 0, -1), ' ') ~= entries then return {stale, now, quota} end
