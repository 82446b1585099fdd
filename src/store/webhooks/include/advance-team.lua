-- Lets the next delivery of a team be sent, if there is one. `;` is the character after `:`.
local function advance(k, team, now)
  local from, to = '[' .. team .. ':', '(' .. team .. ';'
  local found = redis.call('ZRANGE', k.waiting, from, to, 'BYLEX', 'LIMIT', 0, 1)[1]
  if not found then return redis.call('HDEL', k.heads, team) end
  local suffix = string.match(found, '[^:]*$')
  redis.call('ZREM', k.waiting, found)
  redis.call('HSET', k.heads, team, suffix .. ':' .. string.format('%.0f', now))
  redis.call('ZADD', k.pending, now, suffix)
end
