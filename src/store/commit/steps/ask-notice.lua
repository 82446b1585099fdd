-- Asks for a message to a Slack user about an event, or for its update.
--- @keys notice, pending, kept, ready
--- @args item, work
--- @const eventLifetime
redis.call('HSET', notice, 'failures', '0')
redis.call('EXPIRE', notice, eventLifetime)
redis.call('SADD', kept, item)
redis.call('EXPIRE', kept, eventLifetime)
redis.call('ZADD', pending, now, item)
redis.call('ZADD', ready, 'LT', now, work)
