--- @keys installation, token
--- @args installedAt, connected
--- @const stale
if (redis.call('HGET', installation, 'installed') or '') ~= installedAt
  or redis.call('EXISTS', token) ~= tonumber(connected) then return {stale, now, quota} end
