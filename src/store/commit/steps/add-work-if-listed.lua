-- Makes background work due if one of the lists has an entry.
--- @keys ready, lists...
--- @args work
if redis.call('EXISTS', unpack(lists)) > 0 then redis.call('ZADD', ready, now, work) end
