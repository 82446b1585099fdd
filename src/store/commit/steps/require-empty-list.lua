--- @keys list
--- @const stale
if redis.call('EXISTS', list) == 1 then return {stale, now, quota} end
