-- Counts a sign-in while the workspace is full. Its count is the last of the conditions.
--- @const waysInLifetime
if isFull and redis.call('INCR', conditions[nth]) == 1 then
  redis.call('EXPIRE', conditions[nth], waysInLifetime)
end
