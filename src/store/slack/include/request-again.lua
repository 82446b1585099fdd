-- Requests a pending item again. The item keeps its position, but its score changes a little, so that a
-- process working on it sees the new request.
local function requestAgain(pending, due, item)
  if redis.call('ZADD', pending, 'NX', due, item) == 0 then redis.call('ZINCRBY', pending, '0.001', item) end
end
