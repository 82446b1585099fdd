-- Deletes everything that is stored for a webhook, except its deliveries. They stay for `lifetime` (s).
--- @keys ready, workspaceHead, deliveries, gone...
--- @args deliverName, catchUpName, webhook
--- @fixed lifetime
--- @const cursorPrefix
redis.call('DEL', unpack(gone))
redis.call('ZREM', ready, deliverName, catchUpName)
redis.call('HDEL', workspaceHead, cursorPrefix .. webhook)
redis.call('EXPIRE', deliveries, lifetime)
