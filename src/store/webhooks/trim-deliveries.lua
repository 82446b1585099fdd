#!lua flags=allow-oom
-- Removes old deliveries from a webhook's list. Their blocks have expired by themselves, since blocks live
-- as long as events.
-- KEYS: the webhook's list of deliveries, the stored responses of its receivers.
-- ARGV: the number of the oldest event in the log, the lifetime of the responses (s), the prefix of block
-- keys.
-- Returns the number of removed entries, at most 1,000.
--- @include "include/delivery-blocks"
local time = redis.call('TIME')
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', (time[1] - ARGV[2]) * 1000)
local old = math.min(redis.call('ZCOUNT', KEYS[1], '-inf', '(' .. ARGV[1]), 1000)
if old > 0 then return redis.call('ZREMRANGEBYRANK', KEYS[1], 0, old - 1) end
local first = redis.call('ZRANGE', KEYS[1], 0, 0)[1]
local isOver = first and isBlockName(first) and redis.call('EXISTS', ARGV[3] .. first) == 0
return isOver and redis.call('ZREM', KEYS[1], first) or 0
