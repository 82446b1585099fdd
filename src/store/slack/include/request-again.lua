-- Requests an item again. Its position stays, but the new score shows a process at work the new request.
local function requestAgain(pending, due, item)
  if redis.call('ZADD', pending, 'NX', due, item) == 0 then redis.call('ZINCRBY', pending, '0.001', item) end
end
