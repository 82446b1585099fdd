-- Adds an entry to a list of what a person was removed from. It stays as long as a revision may exist that
-- names the person (`lifetime`, s).
local function listAsRemoved(list, entry, lifetime)
  redis.call('ZADD', list, now, entry)
  redis.call('ZREMRANGEBYSCORE', list, '-inf', now - lifetime * 1000)
  redis.call('EXPIRE', list, lifetime)
end
