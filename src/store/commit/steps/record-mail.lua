-- Records the result of an attempt to send a mail, unless it was erased. A mail that is over keeps no secret.
--- @keys mail, due, ready, secret
--- @args suffix, work, state, delay, counted, code, detail
--- @include "../../mail/include/wake-mail"
if redis.call('EXISTS', mail) == 1 then
  redis.call('HSET', mail, 'state', state, 'changed', now)
  redis.call('HDEL', mail, 'holder', 'marked', 'code', 'detail')
  if counted == '1' then redis.call('HINCRBY', mail, 'attempts', 1) end
  if code ~= '' then redis.call('HSET', mail, 'code', code) end
  if detail ~= '' then redis.call('HSET', mail, 'detail', detail) end
  if state == 'queued' then
    redis.call('ZADD', due, now + tonumber(delay), suffix)
  else
    redis.call('ZREM', due, suffix)
    if state ~= 'kept' then redis.call('DEL', secret) end
  end
  wakeMail(due, ready, work)
end
