import {script} from '../core/connection.js';
import {createReadTryEntryLua} from './try-entry.js';
import {cursorPrefix} from '../core/keys.js';
import {workName, workPrefixes} from '../../domain/core/work.js';
import {blockFunctions} from './delivery-blocks.js';
import {enqueueFunction, makeFunction, roomFunction} from './delivery-lua.js';
import {isInLogFunction} from '../core/log-lua.js';

/*
 * The scripts for deliveries. Each webhook has two sorted sets: `pending` (by due time) and `inflight` (by
 * end of lease), and two more for replays. These scripts and claim-script.ts decide by the time of Redis, so
 * several jobs for a webhook may run at once.
 */

/** The Lua table of one webhook's keys for scripts that create deliveries. */
const webhookTable = `
local function webhook(at, suffix)
  return {
    list = KEYS[at], pending = KEYS[at + 1], tries = KEYS[at + 2], state = KEYS[at + 3],
    waiting = KEYS[at + 4], heads = KEYS[at + 5], ready = KEYS[2], webhook = suffix,
  }
end`.trim();

/** The approximate memory of a delivery. An event creates one for each webhook. */
const deliveryBytes = 100;

/**
 * Creates the deliveries of consecutive events. A webhook with too many waiting deliveries falls behind: it
 * gets its own position before the first event without space, and catchUpScript handles later events. KEYS
 * (core/keys.ts explains them): the workspace's head, ready and events, then for each webhook: its list of
 * deliveries, pending, tries, state, waiting, heads; then each delivery and its block. ARGV: the first and
 * the last event number, the version of the webhooks, the lifetime (s), the time (ms) and resource of the
 * last event, the number of webhooks, the id suffix and revision of each; then for each delivery: the index
 * of its webhook (from 1), its id suffix, the event number, the id suffix of the team or empty. Returns 1
 * when done, 2 when done with the last event of the log, 0 if the position or an event in the log is another
 * one, -1 if the webhooks have changed.
 */
export const fanOutScript = script(`#!lua flags=allow-oom
local head = redis.call('HMGET', KEYS[1], 'cursor:webhooks', 'version:webhooks', 'sequence')
if tonumber(head[1] or '') ~= ARGV[1] - 1 then return 0 end
${isInLogFunction}
if not isInLog(KEYS[3], ARGV[2], ARGV[5], ARGV[6]) then return 0 end
if (head[2] or '') ~= ARGV[3] then return -1 end
${enqueueFunction}
${roomFunction}
${makeFunction}
${webhookTable}
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local webhooks, count = {}, tonumber(ARGV[7])
for i = 1, count do
  local k = webhook(6 * i - 2, ARGV[6 + 2 * i])
  k.room = redis.call('HEXISTS', KEYS[1], '${cursorPrefix}' .. k.webhook) == 1 and 0 or countFreePlaces(k)
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
  elseif redis.call('HSETNX', KEYS[1], '${cursorPrefix}' .. k.webhook, string.format('%.0f', sequence - 1)) == 1 then
    redis.call('HSET', k.state, 'behind', k.revision)
  end
end
local made = 0
for _, each in ipairs(webhooks) do
  keepMade(each)
  made = made + each.count
end
if made > 0 then redis.call('HINCRBY', KEYS[1], 'bytes', made * ${deliveryBytes}) end
redis.call('HSET', KEYS[1], 'cursor:webhooks', ARGV[2])
if head[3] ~= ARGV[2] then return 1 end
redis.call('ZREM', KEYS[2], '${workName({kind: 'fan-out'})}')
return 2`);

/**
 * Creates deliveries of consecutive events for one webhook that has fallen behind, all or none, and moves its
 * own position. When it reaches the position of the other webhooks, it has caught up. KEYS (core/keys.ts
 * explains them): the workspace's head, ready and events, the webhook's list of deliveries, pending, tries,
 * state, waiting, heads, then each delivery and its block. ARGV: the webhook's id suffix, its position before
 * and after, its revision after, the number of events that are missed because they are too old, the lifetime
 * (s), the time (ms) and resource of the event at the new position (empty without one); then for each
 * delivery: its id suffix, the event number, the id suffix of the team or empty. Returns 1 when done, 2 when
 * done and caught up, 0 if the position or an event in the log is another one, -1 if there is no space: the
 * job that makes space adds the work again.
 */
export const catchUpScript = script(`#!lua flags=allow-oom
local own, work = '${cursorPrefix}' .. ARGV[1], '${workPrefixes.catchUp}' .. ARGV[1]
local head = redis.call('HMGET', KEYS[1], own, 'cursor:webhooks')
if head[1] ~= ARGV[2] then return 0 end
${isInLogFunction}
if ARGV[8] == '' then
  local first = string.format('%.0f-0', ARGV[2] + 1)
  if redis.call('XRANGE', KEYS[3], first, ARGV[3], 'COUNT', 1)[1] then return 0 end
elseif not isInLog(KEYS[3], ARGV[3], ARGV[7], ARGV[8]) then return 0 end
${enqueueFunction}
${roomFunction}
${makeFunction}
${webhookTable}
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local k = webhook(4, ARGV[1])
local count = (#KEYS - 9) / 2
if count > 0 and countFreePlaces(k) < count then
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
if k.count > 0 then redis.call('HINCRBY', KEYS[1], 'bytes', k.count * ${deliveryBytes}) end
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
return 1`);

/**
 * Creates one delivery, but not for a deleted webhook. KEYS (core/keys.ts explains them): the webhook's
 * record, the workspace's ready, the webhook's list of deliveries, pending, tries, state, waiting, heads,
 * then the delivery and its block. ARGV: the event number, the id suffixes of the webhook and of the
 * delivery, the lifetime (s).
 */
export const makeScript = script(`#!lua flags=allow-oom
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
${enqueueFunction}
${roomFunction}
${makeFunction}
${webhookTable}
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local k = webhook(3, ARGV[2])
-- If the webhook has too many waiting deliveries, this one is created later, with those of the other events
-- in the log.
if countFreePlaces(k) < 1 then return 0 end
lookUp(k, {ARGV[3], KEYS[10]})
make(k, KEYS[9], KEYS[10], ARGV[3], ARGV[1], '', ARGV[4], now)
keepMade(k)
return 1`);

/**
 * Removes old deliveries from a webhook's list. Their blocks have expired by themselves, since blocks live as
 * long as events. KEYS: the webhook's list of deliveries, the stored responses of its receivers. ARGV: the
 * number of the oldest event in the log, the lifetime of the responses (s), the prefix of block keys. Returns
 * the number of removed entries, at most 1,000.
 */
export const trimScript = script(`#!lua flags=allow-oom
${blockFunctions}
local time = redis.call('TIME')
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', (time[1] - ARGV[2]) * 1000)
local old = math.min(redis.call('ZCOUNT', KEYS[1], '-inf', '(' .. ARGV[1]), 1000)
if old > 0 then return redis.call('ZREMRANGEBYRANK', KEYS[1], 0, old - 1) end
local first = redis.call('ZRANGE', KEYS[1], 0, 0)[1]
local isOver = first and isBlockName(first) and redis.call('EXISTS', ARGV[3] .. first) == 0
return isOver and redis.call('ZREM', KEYS[1], first) or 0`);

/**
 * Extends leases of deliveries. The webhook is then checked when its leases end, unless a retry or a test is
 * due earlier, or a throttle may let it continue earlier. KEYS (core/keys.ts explains them): the workspace's
 * ready, then for each webhook: inflight, replaying, tries, pending, replays, state. ARGV: the length of the
 * lease (ms), the number of webhooks, the names of their work, then for each claim: the index of its webhook
 * (from 1), the delivery, the attempt. Returns for each claim 1 if it is held, else 0.
 */
export const renewScript = script(`#!lua flags=allow-oom
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local lease, count = now + ARGV[1], tonumber(ARGV[2])
local function firstOf(a, b)
  local x, y = tonumber(redis.call('ZRANGE', a, 0, 0, 'WITHSCORES')[2]), tonumber(redis.call('ZRANGE', b, 0, 0, 'WITHSCORES')[2])
  return x and y and math.min(x, y) or x or y
end
local ends, held = {}, {}
for i = 1, count do ends[i] = firstOf(KEYS[6 * i - 4], KEYS[6 * i - 3]) end
for i = count + 3, #ARGV, 3 do
  local at, suffix = 6 * ARGV[i] - 4, ARGV[i + 1]
  local begun, replay = ${createReadTryEntryLua("redis.call('HGET', KEYS[at + 2], suffix) or ''", ['begun', 'replay'])}
  local wire = KEYS[replay == '' and at or at + 1]
  local isHeld = begun == ARGV[i + 2] and redis.call('ZSCORE', wire, suffix)
  if isHeld then redis.call('ZADD', wire, lease, suffix) end
  held[#held + 1] = isHeld and 1 or 0
end
for i = 1, count do
  local at, work = 6 * i - 4, '${workPrefixes.deliver}' .. ARGV[i + 2]
  local probe, throttle = unpack(redis.call('HMGET', KEYS[at + 5], 'probe', 'throttle'))
  probe = tonumber(probe or '')
  if not throttle and tonumber(redis.call('ZSCORE', KEYS[1], work) or -1) == ends[i] then
    local look = firstOf(KEYS[at], KEYS[at + 1])
    for _, backlog in ipairs({KEYS[at + 3], KEYS[at + 4]}) do
      local due = redis.call('ZRANGE', backlog, '(' .. string.format('%.0f', now), '+inf', 'BYSCORE', 'LIMIT', 0, 1, 'WITHSCORES')[2]
      if due then look = math.min(look, due) end
    end
    if probe and probe > now then look = math.min(look, probe) end
    redis.call('ZADD', KEYS[1], look, work)
  end
end
return held`);
