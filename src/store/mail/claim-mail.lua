#!lua flags=allow-oom
-- Takes a due mail for one worker. A mail that a dead worker has marked is uncertain, and is not sent again.
-- KEYS: the mail, the unfinished mails, the due work, the secret of the mail, the workspace's head.
-- ARGV: the id suffix of the mail, the holder, the length of the lease (ms), the name of the work, the time
-- (ms) for which a mail waits at most.
-- Returns the fields of the mail with the secret as the last value, 'uncertain', or nothing if it is not due
-- or the workspace is read-only.
--- @include "../core/include/clock"
--- @include "include/wake-mail"
local mail, due, ready, secret = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local suffix, work = ARGV[1], ARGV[4]
local at = redis.call('ZSCORE', due, suffix)
if not at or redis.call('HEXISTS', KEYS[5], 'frozen') == 1 then return {} end
-- A time that is impossibly late was noted before the clock was set back.
if tonumber(at) > now and tonumber(at) <= now + tonumber(ARGV[5]) then return {} end
if redis.call('HGET', mail, 'state') ~= 'queued' then
  redis.call('ZREM', due, suffix)
  wakeMail(due, ready, work)
  return {}
end
if redis.call('HEXISTS', mail, 'marked') == 1 then
  redis.call('HSET', mail, 'state', 'uncertain', 'changed', now)
  redis.call('HDEL', mail, 'marked')
  redis.call('HINCRBY', mail, 'attempts', 1)
  redis.call('DEL', secret)
  redis.call('ZREM', due, suffix)
  wakeMail(due, ready, work)
  return {'uncertain'}
end
redis.call('HSET', mail, 'holder', ARGV[2])
redis.call('ZADD', due, now + tonumber(ARGV[3]), suffix)
wakeMail(due, ready, work)
local fields = redis.call('HGETALL', mail)
fields[#fields + 1] = redis.call('GET', secret) or ''
return fields
