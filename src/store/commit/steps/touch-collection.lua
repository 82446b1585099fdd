-- Gives a collection a new version, and records which resource changed.
--- @keys workspaceHead, changes
--- @args version, suffix
--- @fixed collection
local before = redis.call('HGET', workspaceHead, 'version:' .. collection) or ''
redis.call('HSET', workspaceHead, 'version:' .. collection, version)
redis.call('LPUSH', changes, before .. ' ' .. version .. ' ' .. suffix)
redis.call('LTRIM', changes, 0, 99)
