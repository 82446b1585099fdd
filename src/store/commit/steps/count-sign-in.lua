-- Counts a sign-in while the workspace is full: `isFull` of check-share-for-sign-in.lua. Its count is
-- the last of the conditions.
--- @const waysInLifetime
if isFull and redis.call('INCR', conditions[nth]) == 1 then
  redis.call('EXPIRE', conditions[nth], waysInLifetime)
end
