-- Requires that an address was invited as often on a day as the plan has read.
--- @keys invited
--- @args count
--- @const stale
if tonumber(redis.call('GET', invited) or 0) ~= tonumber(count) then return {stale, now, quota} end
