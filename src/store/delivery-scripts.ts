import {lifetimes, limits} from '../domain/limits.js';
import {script} from './connection.js';

/*
 * Deliveries live in two sorted sets for each webhook: `pending` (score: due time) and `inflight` (score: end of lease). Everything is
 * decided by Redis time inside these scripts, so any number of turns of one webhook may run at once and do no harm.
 */

/** Makes one delivery, unless it has been made. */
const makeDelivery = `
local function make(delivery, list, pending, ready, sequence, webhook, drawn, lifetime, now)
  if redis.call('HSETNX', delivery, 'webhook', webhook) == 0 then return end
  redis.call('EXPIRE', delivery, lifetime)
  redis.call('ZADD', list, sequence, drawn)
  redis.call('ZADD', pending, now, drawn)
  redis.call('ZADD', ready, 'LT', now, 'deliver/' .. webhook)
end`.trim();

/**
 * KEYS: head, ready, then for each delivery: delivery, the webhook's list, the webhook's pending set.
 * ARGV: first and last sequence, version of the webhooks, lifetime (s), then for each delivery: sequence, drawn half of webhook and of delivery.
 * Returns 1 done, 0 the cursor is elsewhere, -1 the webhooks have changed.
 */
export const fanOutScript = script(`#!lua
local head = redis.call('HMGET', KEYS[1], 'cursor:webhooks', 'version:webhooks', 'sequence')
if tonumber(head[1] or '') ~= ARGV[1] - 1 then return 0 end
if (head[2] or '0') ~= ARGV[3] then return -1 end
${makeDelivery}
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
for i = 1, (#KEYS - 2) / 3 do
  local sequence, webhook, delivery = ARGV[2 + 3 * i], ARGV[3 + 3 * i], ARGV[4 + 3 * i]
  make(KEYS[3 * i], KEYS[3 * i + 1], KEYS[3 * i + 2], KEYS[2], sequence, webhook, delivery, ARGV[4], now)
end
redis.call('HSET', KEYS[1], 'cursor:webhooks', ARGV[2])
if head[3] == ARGV[2] then redis.call('ZREM', KEYS[2], 'fan-out') end
return 1`);

/**
 * KEYS: the webhook's record, ready, delivery, the webhook's list, its pending set.
 * ARGV: sequence, drawn half of webhook and of delivery, lifetime (s). A webhook that has been deleted gets nothing more.
 */
export const makeScript = script(`#!lua
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
${makeDelivery}
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
make(KEYS[3], KEYS[4], KEYS[5], KEYS[2], ARGV[1], ARGV[2], ARGV[3], ARGV[4], now)
return 1`);

/**
 * KEYS: pending, inflight, tries, state, ready, the webhook's record, headers, three secrets, excerpts, then the delivery of each result.
 * ARGV: webhook, concurrency, lease (ms), then for each result: delivery, attempt, state, delay (ms), the attempt's record, what the
 * receiver said, and the time of the claim (ms): nothing said is kept of what was claimed before the end of a forgetting (see keys.ts).
 * Returns now, the time of the next look (-1: none), results refused, for each claim: delivery, attempt, failures; and with claims the
 * webhook's record, headers and secrets as they are at this moment, so that nothing goes out by what has been changed before.
 */
export const claimScript = script(`#!lua flags=allow-oom
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local pending, inflight, tries, excerpts = KEYS[1], KEYS[2], KEYS[3], KEYS[11]
local refused, said = 0, false
local forgotten = tonumber(redis.call('HGET', KEYS[4], 'forgotten') or '0')
for i = 1, #KEYS - 11 do
  local at, record = 7 * i - 3, KEYS[11 + i]
  local delivery, attempt, state = ARGV[at], ARGV[at + 1], ARGV[at + 2]
  local begun, failures = string.match(redis.call('HGET', tries, delivery) or '', '^(%d+):(%d+)$')
  if begun == attempt and redis.call('ZSCORE', inflight, delivery) then
    redis.call('ZREM', inflight, delivery)
    if state == 'retrying' then
      redis.call('ZADD', pending, now + ARGV[at + 3], delivery)
      redis.call('HSET', tries, delivery, begun .. ':' .. (failures + 1))
    else
      redis.call('HDEL', tries, delivery)
    end
    -- A record that has expired meanwhile stays gone: written anew it would live for ever.
    local kept = redis.call('EXISTS', record) == 1
    if kept then redis.call('HSET', record, 'state', state) end
    if kept and ARGV[at + 4] ~= '' then
      redis.call('HSET', record, 'attempts', begun, 'attempt:' .. begun, ARGV[at + 4])
      local old = begun - ${limits.attemptsPerDelivery}
      if old > 0 then redis.call('HDEL', record, string.format('attempt:%.0f', old)) end
    end
    if ARGV[at + 5] ~= '' and tonumber(ARGV[at + 6]) > forgotten then
      said = true
      redis.call('ZADD', excerpts, now, delivery .. ':' .. begun .. ':' .. ARGV[at + 5])
    end
  else
    refused = refused + 1
  end
end
if said then
  redis.call('ZREMRANGEBYRANK', excerpts, 0, -${limits.excerptsPerWebhook + 1})
  redis.call('EXPIRE', excerpts, ${lifetimes.events})
end
for _, delivery in ipairs(redis.call('ZRANGE', inflight, '-inf', now, 'BYSCORE', 'LIMIT', 0, 500)) do
  redis.call('ZREM', inflight, delivery)
  redis.call('ZADD', pending, now, delivery)
end
local claims = {}
local open = redis.call('HEXISTS', KEYS[4], 'off') == 0 and redis.call('EXISTS', KEYS[6]) == 1
local room = open and ARGV[2] - redis.call('ZCARD', inflight) or 0
if room > 0 then
  for _, delivery in ipairs(redis.call('ZRANGE', pending, '-inf', now, 'BYSCORE', 'LIMIT', 0, room)) do
    local begun, failures = string.match(redis.call('HGET', tries, delivery) or '0:0', '^(%d+):(%d+)$')
    begun = string.format('%.0f', begun + 1)
    redis.call('HSET', tries, delivery, begun .. ':' .. failures)
    redis.call('ZREM', pending, delivery)
    redis.call('ZADD', inflight, now + ARGV[3], delivery)
    claims[#claims + 1] = delivery
    claims[#claims + 1] = begun
    claims[#claims + 1] = failures
    room = room - 1
  end
end
-- Full: the next look is at the end of a lease. Concurrency 0 is a worker that stops: what is due is for another one to look at.
local due = open and (room > 0 or ARGV[2] == '0') and redis.call('ZRANGE', pending, 0, 0, 'WITHSCORES')[2]
local leased = redis.call('ZRANGE', inflight, 0, 0, 'WITHSCORES')[2]
local next = tonumber(due or leased or '-1')
if due and leased then next = math.min(tonumber(due), tonumber(leased)) end
if next < 0 then
  redis.call('ZREM', KEYS[5], 'deliver/' .. ARGV[1])
else
  redis.call('ZADD', KEYS[5], next, 'deliver/' .. ARGV[1])
end
local target = #claims > 0 and redis.call('MGET', unpack(KEYS, 6, 10))
return {now, next, refused, claims, target}`);

/** KEYS: the webhook's list of deliveries, its excerpts. ARGV: the oldest event's sequence. Both have lived as long as events do. */
export const trimScript = script(`#!lua flags=allow-oom
local time = redis.call('TIME')
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', '(' .. ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', (time[1] - ${lifetimes.events}) * 1000)
return 1`);

/**
 * KEYS: inflight, tries. ARGV: lease (ms), then for each: delivery, attempt.
 * Leaves the ready set alone: whoever looks at the end of the old lease finds the new one, and a retry that is due sooner is not put off.
 */
export const renewScript = script(`#!lua flags=allow-oom
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local lease = now + ARGV[1]
for i = 2, #ARGV, 2 do
  local begun = string.match(redis.call('HGET', KEYS[2], ARGV[i]) or '', '^(%d+):')
  if begun == ARGV[i + 1] then redis.call('ZADD', KEYS[1], 'XX', lease, ARGV[i]) end
end
return 1`);
