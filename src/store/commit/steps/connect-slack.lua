--- @keys installation, token, ready, workspaceHead
--- @args id, encrypted, name, by
if redis.call('HSET', installation, 'id', id, 'installed', now) == 2 then
  redis.call('HDEL', workspaceHead, 'cursor:slack')
end
redis.call('HSET', installation, 'name', name, 'by', by)
redis.call('SET', token, encrypted)
redis.call('HSETNX', workspaceHead, 'cursor:slack', redis.call('HGET', workspaceHead, 'sequence'))
redis.call('HSET', workspaceHead, 'run:slack', now)
for _, work in ipairs(redis.call('ZRANGE', ready, 0, -1)) do redis.call('ZADD', ready, now, work) end
