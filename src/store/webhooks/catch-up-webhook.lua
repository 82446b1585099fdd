#!lua flags=allow-oom
-- Creates deliveries of consecutive events for one webhook that has fallen behind, all or none, and moves
-- its own position. When it reaches the position of the other webhooks, it has caught up.
-- KEYS (core/keys.ts explains them): the workspace's head, ready and events, the webhook's list of
-- deliveries, pending, tries, state, waiting, heads, then each delivery and its block.
-- ARGV: the webhook's id suffix, its position before and after, its revision after, the number of events
-- that are missed because they are too old, the lifetime (s), the time (ms) and resource of the event at the
-- new position (empty without one); then for each delivery: its id suffix, the event number, the id suffix
-- of the team or empty.
-- Returns 1 when done, 2 when done and caught up, 0 if the position or an event in the log is another one
-- or the workspace is read-only, -1 if there is no space: the job that makes space adds the work again.
--- @const catchUpWork, cursorPrefix, deliveryBytes
local own, work = cursorPrefix .. ARGV[1], catchUpWork .. ARGV[1]
local head = redis.call('HMGET', KEYS[1], own, 'cursor:webhooks', 'frozen')
if head[3] or head[1] ~= ARGV[2] then return 0 end
--- @include "../core/include/is-in-log"
if ARGV[8] == '' then
  local first = string.format('%.0f-0', ARGV[2] + 1)
  if redis.call('XRANGE', KEYS[3], first, ARGV[3], 'COUNT', 1)[1] then return 0 end
elseif not isInLog(KEYS[3], ARGV[3], ARGV[7], ARGV[8]) then return 0 end
--- @include "include/enqueue"
--- @include "include/count-free-slots"
--- @include "include/create-delivery"
--- @include "include/webhook-keys"
--- @include "../core/include/clock"
local k = webhook(4, ARGV[1])
local count = (#KEYS - 9) / 2
if count > 0 and countFreeSlots(k) < count then
  redis.call('ZREM', KEYS[2], work)
  return -1
end
local suffixes = {}
for i = 1, count do
  suffixes[2 * i - 1] = ARGV[6 + 3 * i]
  suffixes[2 * i] = KEYS[9 + 2 * i]
end
lookUp(k, suffixes)
for i = 1, count do
  local at = 6 + 3 * i
  make(k, KEYS[8 + 2 * i], KEYS[9 + 2 * i], ARGV[at], ARGV[at + 1], ARGV[at + 2], ARGV[6], now)
end
keepMade(k)
if k.count > 0 then redis.call('HINCRBY', KEYS[1], 'bytes', k.count * deliveryBytes) end
if ARGV[5] ~= '0' then
  redis.call('HINCRBY', k.state, 'missed', ARGV[5])
  redis.call('HSETNX', k.state, 'missed_at', string.format('%.0f', now))
end
local held = tonumber(redis.call('HGET', k.state, 'until') or '') or 0
if tonumber(ARGV[3]) >= math.max(tonumber(head[2]), held) then
  redis.call('HDEL', KEYS[1], own)
  redis.call('HDEL', k.state, 'behind', 'until')
  redis.call('ZREM', KEYS[2], work)
  return 2
end
redis.call('HSET', KEYS[1], own, ARGV[3])
redis.call('HSET', k.state, 'behind', ARGV[4])
redis.call('ZADD', KEYS[2], now, work)
return 1
