-- Queues a mail, unless it exists. Its position is unique, so that a page ends at no other mail's position.
--- @keys mail, due, mails, ready, ofOwner, secret
--- @args suffix, work, fact, to, member, owner, validUntil, encrypted, headStart, trace
--- @const eventLifetime
if redis.call('EXISTS', mail) == 0 then
  redis.call('HSET', mail, 'fact', fact, 'to', to, 'state', 'queued')
  redis.call('HSET', mail, 'at', now, 'changed', now, 'until', validUntil)
  redis.call('EXPIRE', mail, eventLifetime)
  if trace then redis.call('HSET', mail, 'trace', trace) end
  if member ~= '' then redis.call('HSET', mail, 'member', member) end
  if owner ~= '' then
    redis.call('SADD', ofOwner, suffix)
    redis.call('EXPIRE', ofOwner, eventLifetime)
  end
  if encrypted ~= '' then redis.call('SET', secret, encrypted, 'PX', math.max(1, validUntil - now)) end
  local last = redis.call('ZRANGE', mails, -1, -1, 'WITHSCORES')[2]
  local position = math.max(now * 1000, last and tonumber(last) + 1 or 0)
  redis.call('ZREMRANGEBYSCORE', mails, '-inf', (now - eventLifetime * 1000) * 1000)
  redis.call('ZADD', mails, string.format('%.0f', position), suffix)
  redis.call('ZADD', due, now - headStart, suffix)
  redis.call('ZADD', ready, 'LT', now, work)
end
