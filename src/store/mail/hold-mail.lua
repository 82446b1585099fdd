#!lua flags=allow-oom
-- Extends the lease of a mail. With a mark it also records that the server may have accepted the mail from
-- now on, so that no other worker sends it again.
-- KEYS: the mail, the unfinished mails, the due work.
-- ARGV: the id suffix of the mail, the holder, the length of the lease (ms), the name of the work, 1 to mark.
-- Returns 1 if this worker still holds the mail.
--- @include "../core/include/clock"
--- @include "include/wake-mail"
local mail, due = KEYS[1], KEYS[2]
local held = redis.call('HMGET', mail, 'holder', 'state')
if held[1] ~= ARGV[2] or held[2] ~= 'queued' then return 0 end
local ends = tonumber(redis.call('ZSCORE', due, ARGV[1]) or 0)
if ARGV[5] == '1' then
  -- Another worker may take the mail at this moment.
  if ends <= now then return 0 end
  redis.call('HSET', mail, 'marked', 1)
end
redis.call('ZADD', due, now + tonumber(ARGV[3]), ARGV[1])
wakeMail(due, KEYS[3], ARGV[4])
return 1
