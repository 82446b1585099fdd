--- @keys looks, ready
--- @args team, work
redis.call('HDEL', looks, team)
redis.call('ZREM', ready, work)
