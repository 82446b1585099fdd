import {positionsPerEvent} from '../../domain/webhooks/delivery.js';
import {createReadTryEntryLua} from './try-entry.js';
import {workPrefixes} from '../../domain/core/work.js';
import {lifetimes} from '../../domain/core/limits.js';
import {script} from '../core/connection.js';
import {advanceFunction, enqueueFunction} from './delivery-lua.js';

/** The approximate memory of a delivery by a replay, which has its own key because it is in no block. */
const replayedBytes = 400;

/**
 * Creates the deliveries of some events and moves the replay's position past them, so a repeat has no effect.
 * KEYS (core/keys.ts explains them): the replay, the webhook's record and state, the workspace's ready, the
 * webhook's list of deliveries, pending, tries, waiting, heads, replays, the workspace's head, then each
 * delivery. ARGV: the position before and after, the number of matched deliveries, the id suffixes of the
 * webhook and the replay, the replay's id, the lifetime (s), the workspace's limit (bytes; 0 for none), then
 * for each delivery: its id suffix, the event number, the team, the number of the event for this webhook.
 * Returns 1 when done, 0 if the replay has another position or has ended, -1 if its webhook is disabled, -2
 * if the workspace is full.
 */
export const advanceScript = script(`#!lua
local at = redis.call('HMGET', KEYS[1], 'state', 'cursor')
if at[1] ~= 'running' or at[2] ~= ARGV[1] or redis.call('EXISTS', KEYS[2]) == 0 then return 0 end
if #KEYS > 11 and redis.call('HEXISTS', KEYS[3], 'off') == 1 then return -1 end
if #KEYS > 11 and ARGV[8] ~= '0' and tonumber(redis.call('HGET', KEYS[11], 'bytes') or 0) >= tonumber(ARGV[8]) then
  redis.call('HSET', KEYS[1], 'waits', '1')
  return -2
end
${enqueueFunction}
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local k = {pending = KEYS[6], tries = KEYS[7], state = KEYS[3], ready = KEYS[4], waiting = KEYS[8], heads = KEYS[9],
  replays = KEYS[10], webhook = ARGV[4]}
k.ordered = redis.call('HGET', k.state, 'ordering') == 'per_team'
local made = 0
for i = 12, #KEYS do
  local first = 9 + (i - 12) * 4
  local suffix, sequence, team, number = unpack(ARGV, first, first + 3)
  if redis.call('HSETNX', KEYS[i], 'webhook', ARGV[4]) == 1 then
    redis.call('HSET', KEYS[i], 'replay', ARGV[6], 'made', now)
    if number ~= '' then redis.call('HSET', KEYS[i], 'n', number) end
    if not k.ordered then team = '' elseif team ~= '' then redis.call('HSET', KEYS[i], 'team', team) end
    redis.call('EXPIRE', KEYS[i], ARGV[7])
    -- The position of the event in the list belongs to the event's first delivery, which is in a block. So
    -- the replay's delivery gets a position next to it.
    local others = redis.call('ZCOUNT', KEYS[5], '(' .. sequence, '(' .. string.format('%.0f', sequence + 1))
    redis.call('ZADD', KEYS[5], sequence + math.min(others + 1, ${positionsPerEvent - 1}) / ${positionsPerEvent}, suffix)
    enqueue(k, suffix, sequence, team, ARGV[5], number, now)
    made = made + 1
  end
end
keepQueued(k)
if made > 0 then redis.call('HINCRBY', KEYS[11], 'bytes', made * ${replayedBytes}) end
redis.call('HDEL', KEYS[1], 'waits')
redis.call('HSET', KEYS[1], 'cursor', ARGV[2])
redis.call('HINCRBY', KEYS[1], 'matched', ARGV[3])
return 1`);

/**
 * Ends a replay that has reached its last event and has no unfinished deliveries. KEYS: the replay, the
 * webhook's state, the due work. ARGV: the replay's id suffix, the name of its work.
 */
export const completeScript = script(`#!lua flags=allow-oom
local at = redis.call('HMGET', KEYS[1], 'state', 'cursor', 'last')
if at[1] == 'running' and tonumber(at[2]) >= tonumber(at[3]) then
  local time = redis.call('TIME')
  redis.call('HSET', KEYS[1], 'state', 'completed', 'ended', time[1] * 1000 + math.floor(time[2] / 1000))
  redis.call('EXPIRE', KEYS[1], ${lifetimes.replay})
  if redis.call('HGET', KEYS[2], 'replay') == ARGV[1] then redis.call('HDEL', KEYS[2], 'replay') end
end
redis.call('ZREM', KEYS[3], ARGV[2])
return 1`);

/**
 * Schedules the next step of a replay. A replay of a disabled webhook is scheduled again when the webhook is
 * enabled. KEYS: the webhook's state, the due work. ARGV: the name of the replay's work, the wait (ms), 1
 * when the replay may continue while the webhook is disabled.
 */
export const waitScript = script(`#!lua flags=allow-oom
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if ARGV[3] ~= '1' and redis.call('HEXISTS', KEYS[1], 'off') == 1 then
  redis.call('ZREM', KEYS[2], ARGV[1])
else
  redis.call('ZADD', KEYS[2], now + ARGV[2], ARGV[1])
end
return 1`);

/**
 * Withdraws the waiting deliveries of a cancelled replay. Requests in progress continue. KEYS (core/keys.ts
 * explains them): the replay, the webhook's pending, replays, waiting, heads, tries and replayed, the
 * workspace's ready, then each delivery. ARGV: the id suffixes of the replay and of the webhook, then for
 * each delivery: its id suffix, the event number.
 */
export const takeBackScript = script(`#!lua flags=allow-oom
if redis.call('HGET', KEYS[1], 'state') ~= 'cancelled' then return 0 end
${advanceFunction}
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local k = {pending = KEYS[2], replays = KEYS[3], waiting = KEYS[4], heads = KEYS[5]}
local taken = 0
for i = 9, #KEYS do
  local suffix, sequence = ARGV[2 * i - 15], ARGV[2 * i - 14]
  local team, replay = ${createReadTryEntryLua("redis.call('HGET', KEYS[6], suffix) or ''", ['team', 'replay'])}
  local behind = team and team .. ':' .. string.format('%016.0f', sequence) .. ':' .. suffix
  if replay == ARGV[1] and redis.call('ZREM', k.replays, suffix) + redis.call('ZREM', k.pending, suffix)
    + redis.call('ZREM', k.waiting, behind) > 0 then
    redis.call('HDEL', KEYS[6], suffix)
    if redis.call('EXISTS', KEYS[i]) == 1 then redis.call('HSET', KEYS[i], 'state', 'aborted') end
    if team ~= '' and string.match(redis.call('HGET', k.heads, team) or '', '^[^:]*') == suffix then advance(k, team, now) end
    taken = taken + 1
  end
end
if taken > 0 then redis.call('ZADD', KEYS[8], 'LT', now, '${workPrefixes.deliver}' .. ARGV[2]) end
if taken > 0 then redis.call('HINCRBY', KEYS[7], ARGV[1] .. ':failed', taken) end
return taken`);

/**
 * Removes old replays from a webhook's list. KEYS: the webhook's list of replays, the counted results of its
 * replays. ARGV: the id suffixes of the replays to remove.
 */
export const trimScript = script(`#!lua flags=allow-oom
for _, replay in ipairs(ARGV) do
  redis.call('ZREM', KEYS[1], replay)
  redis.call('HDEL', KEYS[2], replay .. ':succeeded', replay .. ':failed')
end
return 1`);
