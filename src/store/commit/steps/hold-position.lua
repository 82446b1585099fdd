-- Gives a webhook its own position in the log, if it has not got all events yet.
--- @keys workspaceHead, state, ready
--- @args webhook, revision, work
--- @const cursorPrefix
local cursor, newest = unpack(redis.call('HMGET', workspaceHead, 'cursor:webhooks', 'sequence'))
if tonumber(cursor) < tonumber(newest) then
  if redis.call('HSETNX', workspaceHead, cursorPrefix .. webhook, cursor) == 1 then
    redis.call('HSET', state, 'behind', revision)
  end
  redis.call('HSET', state, 'until', newest)
  redis.call('ZADD', ready, now, work)
end
