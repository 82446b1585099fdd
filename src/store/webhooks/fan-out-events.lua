#!lua flags=allow-oom
-- Creates the deliveries of consecutive events. A webhook with too many waiting deliveries falls behind: it
-- gets its own position before the first event without space, and catchUpScript handles later events. The
-- worker gets deliveries under a lease at once if nothing of their webhook waits, and its receiver is well.
-- KEYS (core/keys.ts explains them): the workspace's head, ready and events, then for each webhook: its list
-- of deliveries, pending, tries, state, waiting, heads; then each delivery and its block; then for each
-- webhook of which the worker takes deliveries: inflight, replaying, record, headers and its three secrets.
-- ARGV: the first and the last event number, the version of the webhooks, after a space that of the
-- teams unless there is no webhook, the lifetime (s), the time (ms)
-- and resource of the last event, the number of webhooks, that of deliveries, the number of simultaneous
-- requests of a webhook that sets none, the length of a lease (ms); the id suffix and revision of each
-- webhook, and whether the worker takes deliveries of it (1 or empty); then for each delivery: the index of
-- its webhook (from 1), its id suffix, the event number, the id suffix of the team or empty.
-- Returns 0 if the position or an event in the log is another one or the workspace is read-only, -1 if the
-- webhooks or the teams have changed; else 1 when done or 2 when done with the last event of the log, the
-- time, and for each webhook of which deliveries are leased: its index, the number of requests that it may
-- have, its record, headers and secrets, and the id suffix and number of each delivery.
--- @const cursorPrefix, deliverWork, deliveryBytes, fanOutWork
local head = redis.call('HMGET', KEYS[1], 'cursor:webhooks', 'version:webhooks', 'sequence', 'frozen',
  'version:teams')
if head[4] or tonumber(head[1] or '') ~= ARGV[1] - 1 then return 0 end
--- @include "../core/include/is-in-log"
if not isInLog(KEYS[3], ARGV[2], ARGV[5], ARGV[6]) then return 0 end
local version = head[2] or ''
if version ~= ARGV[3] and version .. ' ' .. (head[5] or '') ~= ARGV[3] then return -1 end
--- @include "include/enqueue"
--- @include "include/count-free-slots"
--- @include "include/create-delivery"
--- @include "include/count-free-requests"
--- @include "include/webhook-keys"
--- @include "../core/include/clock"
local webhooks, cursors, count, made = {}, {}, tonumber(ARGV[7]), tonumber(ARGV[8])
local taken, concurrency, ends = 4 + 6 * count + 2 * made, tonumber(ARGV[9]), now + ARGV[10]
for i = 1, count do cursors[i] = cursorPrefix .. ARGV[8 + 3 * i] end
-- One command for all: with 500 webhooks, the number of commands decides how long this takes.
local behind = count > 0 and redis.call('HMGET', KEYS[1], unpack(cursors)) or {}
for i = 1, count do
  local k = webhook(6 * i - 2, ARGV[8 + 3 * i])
  k.room = behind[i] and 0 or countFreeSlots(k)
  k.revision = ARGV[9 + 3 * i]
  k.suffixes = {}
  if ARGV[10 + 3 * i] ~= '' then
    k.inflight, k.replaying, k.target, k.ends = KEYS[taken], KEYS[taken + 1], taken + 2, ends
    k.free = countFreeRequests(k, concurrency)
    taken = taken + 7
  end
  webhooks[i] = k
end
for i = 1, made do
  local at = 7 + 3 * count + 4 * i
  append(webhooks[tonumber(ARGV[at])], 'suffixes', ARGV[at + 1], KEYS[3 + 6 * count + 2 * i])
end
for _, each in ipairs(webhooks) do lookUp(each, each.suffixes) end
for i = 1, made do
  local at, key = 7 + 3 * count + 4 * i, 2 + 6 * count + 2 * i
  local k, sequence = webhooks[tonumber(ARGV[at])], ARGV[at + 2]
  if k.room > 0 then
    k.room = k.room - 1
    make(k, KEYS[key], KEYS[key + 1], ARGV[at + 1], sequence, ARGV[at + 3], ARGV[4], now)
  else
    local before = string.format('%.0f', sequence - 1)
    if redis.call('HSETNX', KEYS[1], cursorPrefix .. k.webhook, before) == 1 then
      redis.call('HSET', k.state, 'behind', k.revision)
    end
  end
end
local new, handed, looks = 0, {}, {}
for i, each in ipairs(webhooks) do
  keepMade(each)
  new = new + each.count
  if each.handed then
    local target = redis.call('MGET', unpack(KEYS, each.target, each.target + 4))
    handed[#handed + 1] = {i, each.cap, target, each.handed}
    looks[2 * #handed - 1], looks[2 * #handed] = ends, deliverWork .. each.webhook
  end
end
if #handed > 0 then redis.call('ZADD', KEYS[2], 'LT', unpack(looks)) end
if new > 0 then redis.call('HINCRBY', KEYS[1], 'bytes', new * deliveryBytes) end
redis.call('HSET', KEYS[1], 'cursor:webhooks', ARGV[2])
if head[3] ~= ARGV[2] then return {1, now, handed} end
redis.call('ZREM', KEYS[2], fanOutWork)
return {2, now, handed}
