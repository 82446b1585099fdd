-- The worker that holds a mail may record its result, also after its lease if no other worker has taken it.
--- @keys mail
--- @args holder
--- @const stale
if redis.call('HGET', mail, 'holder') ~= holder then return {stale, now, quota} end
