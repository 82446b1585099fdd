-- The mail has not changed its state since it was read.
--- @keys mail
--- @args state
--- @const stale
if redis.call('HGET', mail, 'state') ~= state then return {stale, now, quota} end
