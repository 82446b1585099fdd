--- @keys key
--- @args field, value
redis.call('HSET', key, field, value)
