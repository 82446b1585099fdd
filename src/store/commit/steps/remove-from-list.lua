--- @keys list
--- @args suffix
redis.call('ZREM', list, suffix)
