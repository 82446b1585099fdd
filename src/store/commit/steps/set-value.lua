--- @keys key
--- @args value
redis.call('SET', key, value)
