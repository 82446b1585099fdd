-- Requires that a webhook has this replay, or none.
--- @keys state
--- @args replay
--- @const stale
if (redis.call('HGET', state, 'replay') or '') ~= replay then return {stale, now, quota} end
