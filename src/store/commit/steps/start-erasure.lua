-- Creates the record that shows the progress of an erasure. Its position in the list is unique.
--- @keys erasure, list
--- @args suffix, member, revoked
--- @const erasureLifetime, keptErasures
local newest = redis.call('ZRANGE', list, -1, -1, 'WITHSCORES')[2]
redis.call('HSET', erasure, 'at', at, 'state', 'queued', 'member', member, 'access_tokens', revoked)
redis.call('EXPIRE', erasure, erasureLifetime)
redis.call('ZADD', list, math.max(now, tonumber(newest or '0') + 1), suffix)
redis.call('ZREMRANGEBYSCORE', list, '-inf', now - erasureLifetime * 1000)
redis.call('ZREMRANGEBYRANK', list, 0, -1 - keptErasures)
redis.call('EXPIRE', list, erasureLifetime)
