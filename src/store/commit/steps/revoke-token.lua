--- @keys token, use
--- @args suffix
redis.call('DEL', token)
redis.call('HDEL', use, suffix)
