#!lua flags=allow-oom
-- Creates the deliveries of consecutive events. A webhook with too many waiting deliveries falls behind: it
-- gets its own position before the first event without space, and catchUpScript handles later events.
-- KEYS (core/keys.ts explains them): the workspace's head, ready and events, then for each webhook: its list
-- of deliveries, pending, tries, state, waiting, heads; then each delivery and its block.
-- ARGV: the first and the last event number, the version of the webhooks, after a space that of the
-- teams unless there is no webhook, the lifetime (s), the time (ms)
-- and resource of the last event, the number of webhooks, the id suffix and revision of each; then for each
-- delivery: the index of its webhook (from 1), its id suffix, the event number, the id suffix of the team or
-- empty.
-- Returns 1 when done, 2 when done with the last event of the log, 0 if the position or an event in the log
-- is another one or the workspace is read-only, -1 if the webhooks or the teams have changed.
--- @const cursorPrefix, deliveryBytes, fanOutWork
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
--- @include "include/webhook-keys"
--- @include "../core/include/clock"
local webhooks, cursors, count = {}, {}, tonumber(ARGV[7])
for i = 1, count do cursors[i] = cursorPrefix .. ARGV[6 + 2 * i] end
-- One command for all: with 500 webhooks, the number of commands decides how long this takes.
local behind = count > 0 and redis.call('HMGET', KEYS[1], unpack(cursors)) or {}
for i = 1, count do
  local k = webhook(6 * i - 2, ARGV[6 + 2 * i])
  k.room = behind[i] and 0 or countFreeSlots(k)
  k.revision = ARGV[7 + 2 * i]
  k.suffixes = {}
  webhooks[i] = k
end
for i = 1, (#KEYS - 3 - 6 * count) / 2 do
  local at = 4 + 2 * count + 4 * i
  append(webhooks[tonumber(ARGV[at])], 'suffixes', ARGV[at + 1], KEYS[3 + 6 * count + 2 * i])
end
for _, each in ipairs(webhooks) do lookUp(each, each.suffixes) end
for i = 1, (#KEYS - 3 - 6 * count) / 2 do
  local at, key = 4 + 2 * count + 4 * i, 2 + 6 * count + 2 * i
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
local made = 0
for _, each in ipairs(webhooks) do
  keepMade(each)
  made = made + each.count
end
if made > 0 then redis.call('HINCRBY', KEYS[1], 'bytes', made * deliveryBytes) end
redis.call('HSET', KEYS[1], 'cursor:webhooks', ARGV[2])
if head[3] ~= ARGV[2] then return 1 end
redis.call('ZREM', KEYS[2], fanOutWork)
return 2
