-- Makes a reminder due at a time, or leaves it due earlier. In both cases, a process that works on it sees
-- that it was requested again.
local function makePromptDue(pending, ready, item, work, due)
  local known = tonumber(redis.call('ZSCORE', pending, item) or '')
  if known == nil or known > due then
    redis.call('ZADD', pending, due, item)
  else
    redis.call('ZINCRBY', pending, '0.001', item)
  end
  redis.call('ZADD', ready, 'LT', due, work)
end
