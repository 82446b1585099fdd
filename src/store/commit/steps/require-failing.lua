-- Requires that a webhook still fails since an instant.
--- @keys state
--- @args since, warned
--- @const stale
local failing = redis.call('HMGET', state, 'failing', 'warned')
if tonumber(failing[1] or '') ~= tonumber(since) or (failing[2] or '0') ~= warned then
  return {stale, now, quota}
end
