-- Asks for a report in a channel, or for its update. The record of the report knows its copies.
--- @keys copy, report, pending, ready
--- @args field, channel, item, work, lifetime
redis.call('HSET', copy, 'channel', channel)
redis.call('EXPIRE', copy, lifetime)
redis.call('HSET', report, field, channel)
redis.call('EXPIRE', report, lifetime)
redis.call('ZADD', pending, now, item)
redis.call('ZADD', ready, 'LT', now, work)
