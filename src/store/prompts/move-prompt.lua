#!lua flags=allow-oom
-- Moves a reminder to a later date.
-- KEYS: the lease of the channel, the reminder, the reminder of the later date, the pending items of its
-- recipient, the due work, then for each run its list of reminders, and for a Slack user the list of
-- everything stored for them.
-- ARGV: the lease holder (none for a mail), the item, the later item, the name of the recipient's work, the
-- lifetime (s), the name of the later reminder, the number of runs.
--- @include "include/forget-message"
if ARGV[1] ~= '' and redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
local from, to, pending = KEYS[2], KEYS[3], KEYS[4]
local user, put, snoozed, before, at, old =
  unpack(redis.call('HMGET', from, 'user', 'take', 'snoozed', 'before', 'at', 'old'))
-- A message in Slack stays the message of its day. A mail cannot be edited, so its record may move.
local isInSlack = ARGV[1] ~= ''
local sent = redis.call('HEXISTS', from, 'ts') + redis.call('HEXISTS', from, 'sending')
if not user or isInSlack and sent > 0 then return 0 end
--- @include "../core/include/exact-clock"
if redis.call('HGET', to, 'user') ~= user then forgetMessage(to) end
local fields = redis.call('HGETALL', from)
for i = 1, #fields, 2 do
  local kind = string.sub(fields[i], 1, 4)
  if kind == 'run:' or kind == 'due:' then redis.call('HSETNX', to, fields[i], fields[i + 1]) end
end
redis.call('HSET', to, 'user', user, 'before', before)
redis.call('HSETNX', to, 'at', at)
redis.call('HDEL', to, 'failures', 'failed')
if put then redis.call('HSETNX', to, 'take', put) end
-- The snooze of this reminder has just ended, so the merged message is sent again in any case.
if snoozed then redis.call('HSET', to, 'snoozed', string.format('%.0f', now)) end
if old then
  local more = redis.call('HGET', to, 'old')
  redis.call('HSET', to, 'old', more and more .. ',' .. old or old)
end
redis.call('EXPIRE', to, ARGV[5])
for i = 6, #KEYS do
  local isOfRun = i < 6 + tonumber(ARGV[7])
  if not isOfRun then redis.call('SREM', KEYS[i], ARGV[2]) end
  redis.call('SADD', KEYS[i], isOfRun and ARGV[6] or ARGV[3])
  redis.call('EXPIRE', KEYS[i], ARGV[5])
end
redis.call('DEL', from)
redis.call('ZREM', pending, ARGV[2])
redis.call('ZADD', pending, 'LT', now, ARGV[3])
redis.call('ZADD', KEYS[5], 'LT', now, ARGV[4])
return 1
