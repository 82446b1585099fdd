-- Makes background work due if a list has an entry.
--- @keys list, ready
--- @args work
if redis.call('EXISTS', list) == 1 then redis.call('ZADD', ready, now, work) end
