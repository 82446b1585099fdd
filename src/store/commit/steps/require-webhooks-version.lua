-- Requires that no webhook has changed.
--- @args version
--- @const stale
if (redis.call('HGET', headKey, 'version:webhooks') or '') ~= version then return {stale, now, quota} end
