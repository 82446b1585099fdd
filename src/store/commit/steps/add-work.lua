-- Makes background work due.
--- @keys ready
--- @args work
redis.call('ZADD', ready, now, work)
