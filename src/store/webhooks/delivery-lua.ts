import {limits} from '../../domain/core/limits.js';
import {createReadTryEntryLua, createWriteTryEntryLua} from './try-entry.js';
import {workPrefixes} from '../../domain/core/work.js';
import {blockFunctions, fieldsFunction} from './delivery-blocks.js';

/*
 * The Lua that several scripts share. In it, `k` is a table of one webhook's keys (pending, tries, state,
 * ready, waiting, heads, replays: core/keys.ts explains them), with the webhook's id suffix as `webhook`.
 */

/**
 * The Lua that reads the entry of a delivery in `tries`: started attempts, failures, number, team, replay. An
 * unreadable entry is replaced by one without attempts at its place in the order, so that it does not block
 * others. `k.repaired` counts such entries.
 */
export const entryFunction = `
local function entryOf(k, suffix, entry)
  entry = entry or ''
  local begun, failed, number, team, replay = ${createReadTryEntryLua('entry')}
  if begun then return begun, failed, number, team, replay end
  k.repaired = (k.repaired or 0) + 1
  team, replay = '', redis.call('ZSCORE', k.replays, suffix) and redis.call('HGET', k.state, 'replay') or ''
  local heads = redis.call('HGETALL', k.heads)
  for i = 1, #heads, 2 do
    if string.match(heads[i + 1], '^[^:]*') == suffix then team = heads[i] end
  end
  return string.match(entry, '^%d+') or '0', '0', '', team, replay
end`.trim();

/** The Lua for the entry in `tries` of a delivery that begins to wait. */
const queuedEntry = createWriteTryEntryLua({
  begun: "(begun or '0')",
  failed: "'0'",
  number: 'number',
  team: 'team',
  replay: 'replay',
});

/**
 * The Lua that lets a delivery wait. If the webhook sends a team's deliveries in order, the delivery waits
 * behind the first one of its team; otherwise it is added to the waiting deliveries, those of replays
 * separately. A team's first delivery is always in `pending`, because new deliveries must not wait behind
 * replays. `begun`: the number of earlier attempts, 0 by default. `keepQueued` must be called after the last
 * delivery, and writes all.
 */
export const enqueueFunction = `
local function append(k, name, a, b)
  k[name] = k[name] or {}
  table.insert(k[name], a)
  table.insert(k[name], b)
end

local function keepQueued(k)
  if k.tried then redis.call('HSET', k.tries, unpack(k.tried)) end
  if k.live then redis.call('ZADD', k.pending, unpack(k.live)) end
  if k.low then redis.call('ZADD', k.replays, unpack(k.low)) end
end

local function enqueue(k, suffix, sequence, team, replay, number, now, begun)
  append(k, 'tried', suffix, ${queuedEntry})
  local backlog = replay ~= '' and k.replays or k.pending
  if team ~= '' and k.ordered == nil then k.ordered = redis.call('HGET', k.state, 'ordering') == 'per_team' end
  if team ~= '' and k.ordered then
    if redis.call('HEXISTS', k.heads, team) == 1 then
      redis.call('ZADD', k.waiting, 0, team .. ':' .. string.format('%016.0f', sequence) .. ':' .. suffix)
      return
    end
    redis.call('HSET', k.heads, team, suffix .. ':' .. string.format('%.0f', now))
    backlog = k.pending
  end
  -- Deliveries made in the same millisecond go out in the order of their events, none of them later than now.
  k.lap = k.lap or sequence - sequence % 4096
  append(k, backlog == k.pending and 'live' or 'low', now - 2 + (sequence - k.lap) / 4096, suffix)
  if not k.woken then redis.call('ZADD', k.ready, 'LT', now, '${workPrefixes.deliver}' .. k.webhook) end
  k.woken = true
end`.trim();

/** The Lua that lets the next delivery of a team be sent, if there is one. `;` is the character after `:`. */
export const advanceFunction = `
local function advance(k, team, now)
  local found = redis.call('ZRANGE', k.waiting, '[' .. team .. ':', '(' .. team .. ';', 'BYLEX', 'LIMIT', 0, 1)[1]
  if not found then return redis.call('HDEL', k.heads, team) end
  local suffix = string.match(found, '[^:]*$')
  redis.call('ZREM', k.waiting, found)
  redis.call('HSET', k.heads, team, suffix .. ':' .. string.format('%.0f', now))
  redis.call('ZADD', k.pending, now, suffix)
end`.trim();

/** The Lua that returns how many more deliveries may wait for a webhook. */
export const roomFunction = `
local function countFreePlaces(k)
  return ${limits.pendingPerWebhook} - redis.call('ZCARD', k.pending) - redis.call('ZCARD', k.waiting)
end`.trim();

/**
 * The Lua that creates one delivery of an event, unless it exists. `k` also has the webhook's `list` of
 * deliveries. `lookUp` reads once which deliveries exist, and `keepMade` writes all at once, because a
 * command for each would cost more. `lookUp` takes the argument of `readFields`. `k.count`: the number of
 * created deliveries.
 */
export const makeFunction = `
${blockFunctions}
${fieldsFunction}

local function lookUp(k, asked)
  k.made, k.blocks, k.listed, k.count = readFields(asked), {}, {}, 0
  if #asked == 0 then return end
  local names = {}
  for i = 1, #asked, 2 do names[#names + 1] = blockName(asked[i]) end
  for i, position in ipairs(redis.call('ZMSCORE', k.list, unpack(names))) do
    if position then k.made[names[i]] = position end
  end
end

local function make(k, delivery, block, suffix, sequence, team, lifetime, now)
  -- As long as deliveries of an event can be created, each of them has a field in the event's block, whatever
  -- its state.
  if k.made[suffix] then return end
  k.made[suffix] = ''
  k.count = k.count + 1
  k.lifetime = lifetime
  local name = blockName(suffix)
  if not k.made[name] then k.listed[name] = placeOfBlock(sequence) end
  if not k.number then
    local state = redis.call('HMGET', k.state, 'n', 'ordering')
    k.number, k.ordered = tonumber(state[1] or '') or 0, state[2] == 'per_team'
  end
  k.number = k.number + 1
  local number = string.format('%.0f', k.number)
  if k.ordered and team ~= '' then
    redis.call('HSET', delivery, 'webhook', k.webhook, 'n', number, 'team', team)
    redis.call('EXPIRE', delivery, lifetime)
    append(k.blocks, block, fieldOf(suffix), '')
  else
    append(k.blocks, block, fieldOf(suffix), number)
    team = ''
  end
  enqueue(k, suffix, sequence, team, '', number, now)
end

local function keepMade(k)
  for block, fields in pairs(k.blocks) do
    redis.call('HSET', block, unpack(fields))
    redis.call('EXPIRE', block, k.lifetime)
  end
  for name, position in pairs(k.listed) do redis.call('ZADD', k.list, position, name) end
  if k.number then redis.call('HSET', k.state, 'n', string.format('%.0f', k.number)) end
  keepQueued(k)
end`.trim();
