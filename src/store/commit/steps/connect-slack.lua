--- @keys installation, token, ready, workspaceHead, greeting, pending, kept
--- @args id, encrypted, name, by, item, work, lifetime
if redis.call('HSET', installation, 'id', id, 'installed', now) == 2 then
  redis.call('HDEL', workspaceHead, 'cursor:slack')
end
redis.call('HSET', installation, 'name', name, 'by', by)
redis.call('SET', token, encrypted)
redis.call('HSETNX', workspaceHead, 'cursor:slack', redis.call('HGET', workspaceHead, 'sequence'))
redis.call('HSET', workspaceHead, 'run:slack', now)
for _, work in ipairs(redis.call('ZRANGE', ready, 0, -1)) do redis.call('ZADD', ready, now, work) end
-- The greeting is one item for each person, so that no one who has got it gets it again.
redis.call('HSET', greeting, 'failures', '0')
redis.call('EXPIRE', greeting, lifetime)
redis.call('SADD', kept, item)
redis.call('EXPIRE', kept, lifetime)
redis.call('ZADD', pending, now, item)
redis.call('ZADD', ready, 'LT', now, work)
