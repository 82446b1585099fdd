-- Records the result of a look at a reminder that goes by mail: the mail that this commit queues, and when it
-- is looked at again.
--- @keys prompt, pending, ready
--- @args item, work, next, mail, take, forget
--- @include "../../mail/include/wake-mail"
if mail ~= '' then
  redis.call('HSET', prompt, 'ts', mail, 'take', take, 'sent', now)
  redis.call('HDEL', prompt, 'snoozed')
end
if forget == '1' then redis.call('DEL', prompt) end
if next == '' then redis.call('ZREM', pending, item) else redis.call('ZADD', pending, next, item) end
wakeMail(pending, ready, work)
