--- @keys key
--- @args field
redis.call('HDEL', key, field)
