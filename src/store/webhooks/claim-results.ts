import {lifetimes, limits} from '../../domain/core/limits.js';
import {readResult, resultBlock, resultCount, resultDelivery, resultKey} from './claim-codec.js';
import {
  entryVariables,
  createIsReplayedLua,
  createReadTryEntryLua,
  createWriteTryEntryLua,
} from './try-entry.js';

/*
 * The part of the claim script (claim-script.ts) that records results. Each delivery ends or waits for its
 * retry, and the webhook's circuit breaker and health are updated.
 */

/**
 * The numbers that open a webhook's circuit breaker: failures in a row, or failures among the last attempts.
 */
const breaker = {streak: 5, recent: 20, half: 10, probeMs: 30_000, probeMaxMs: 900_000, fullRamp: 4} as const;

const dayMs = 24 * 3_600_000;
/** The number of fast results in a row after which a webhook no longer counts as slow. */
const slowMemory = 20;

/**
 * The Lua that counts a result for or against the receiver. The state of the circuit breaker: `breaker`
 * (`open`, `ramp`; absent when closed), `opened`, `probe` (the next test), `every` (the interval of tests),
 * all in ms; `ramp` (simultaneous requests during recovery), `ok` (successes at this ramp), `streak`
 * (failures in a row), `recent` (the last results, 1 for a success). Attempts from before the breaker opened
 * do not change it. Those from before the webhook was enabled or got another URL (`anew`) do not count.
 * `how`: the error and status of the attempt.
 */
const chargeFunction = `
local function failures(recent)
  local _, count = string.gsub(recent, '0', '')
  return count
end

local function openBreaker(every)
  set('breaker', 'open')
  set('opened', now)
  set('every', every)
  set('probe', now + every)
  set('ramp', nil)
  set('ok', nil)
end

local function charge(success, claimedAt, how)
  if state.anew and claimedAt <= tonumber(state.anew) then return end
  local last = string.match(state.last or '', '^%d+:(.*)$')
  set('same', not success and (how == last and state.same or 0) + 1 or nil)
  set('last', string.format('%.0f', now) .. ':' .. how)
  if success then
    set('failing', nil)
    set('failed', nil)
    set('warned', nil)
  else
    set('failing', state.failing or now)
    set('failed', (state.failed or 0) + 1)
  end
  if state.opened and claimedAt <= tonumber(state.opened) then return end
  local recent = string.sub((state.recent or '') .. (success and '1' or '0'), -${breaker.recent})
  set('recent', recent)
  set('streak', not success and (state.streak or 0) + 1 or nil)
  if not state.breaker then
    local half = #recent == ${breaker.recent} and failures(recent) >= ${breaker.half}
    if not success and (tonumber(state.streak) >= ${breaker.streak} or half) then openBreaker(${breaker.probeMs}) end
  elseif not success then
    openBreaker(math.min(2 * state.every, ${breaker.probeMaxMs}))
  elseif state.breaker == 'open' then
    set('breaker', 'ramp')
    set('ramp', 1)
    set('ok', 0)
  else
    set('ok', state.ok + 1)
    if tonumber(state.ok) >= tonumber(state.ramp) then
      set('ramp', 2 * state.ramp)
      set('ok', 0)
    end
    if tonumber(state.ramp) > ${breaker.fullRamp} then closeBreaker() end
  end
end`.trim();

/**
 * The Lua that reads the state once, and writes the changed fields once. Invalid numbers, and a circuit
 * breaker without its required fields, are dropped so that the webhook cannot get stuck.
 */
const stateFunctions = `
local texts = {off = true, ordering = true, throttle = true, warned = true, breaker = true, recent = true, behind = true, last = true}
local numbers = {
  forgotten = true, concurrency = true, slow = true, failing = true, failed = true, opened = true, probe = true, every = true, ramp = true,
  ok = true, streak = true, anew = true, same = true,
}
local state, changed = {}, {}
local stored = redis.call('HGETALL', k.state)
for i = 1, #stored, 2 do
  local name, value = stored[i], stored[i + 1]
  if texts[name] or (numbers[name] and string.match(value, '^%d+$')) then
    state[name] = value
  elseif numbers[name] then
    changed[name] = true
    k.repaired = k.repaired + 1
  end
end

local function set(name, value)
  local text = value
  if type(value) == 'number' then text = string.format('%.0f', value) end
  if state[name] == text then return end
  state[name] = text
  changed[name] = true
end

local function closeBreaker()
  for _, name in ipairs({'breaker', 'opened', 'every', 'probe', 'ramp', 'ok', 'recent', 'streak'}) do set(name, nil) end
end

local requiredFields = {open = state.opened and state.every and state.probe, ramp = state.every and state.ramp and state.ok}
if state.breaker and not requiredFields[state.breaker] then
  closeBreaker()
  k.repaired = k.repaired + 1
end

local function keepState()
  local kept, gone = {}, {}
  for name in pairs(changed) do
    if state[name] then
      kept[#kept + 1] = name
      kept[#kept + 1] = state[name]
    else
      gone[#gone + 1] = name
    end
  end
  if #kept > 0 then redis.call('HSET', k.state, unpack(kept)) end
  if #gone > 0 then redis.call('HDEL', k.state, unpack(gone)) end
end`.trim();

/**
 * The Lua that applies one result, if its lease is still held. When the first delivery of a team has ended,
 * or would block its team for over a day, the next one may be sent. One command reads all deliveries, and one
 * command writes them.
 */
const recordFunction = `
local tries, listed, leased = {}, {}, {[k.inflight] = {}, [k.replaying] = {}}
local ended, kept, excerpts = {}, {}, {}
local landed, returned = {[k.inflight] = {}, [k.replaying] = {}}, {[k.inflight] = {}, [k.replaying] = {}}

local function readTries(suffixes, inBlocks)
  listed = readFields(inBlocks)
  local entries, wired = redis.call('HMGET', k.tries, unpack(suffixes)), redis.call('ZMSCORE', k.inflight, unpack(suffixes))
  local replayed
  for i, delivery in ipairs(suffixes) do
    tries[delivery], leased[k.inflight][delivery] = entries[i], wired[i]
    replayed = replayed or (entries[i] and ${createIsReplayedLua('entries[i]')})
  end
  if not replayed then return end
  for i, score in ipairs(redis.call('ZMSCORE', k.replaying, unpack(suffixes))) do leased[k.replaying][suffixes[i]] = score end
end

local function keepTry(delivery, entry)
  tries[delivery] = entry
  kept[#kept + 1] = delivery
  kept[#kept + 1] = entry
end

local function writeTries()
  if #kept > 0 then redis.call('HSET', k.tries, unpack(kept)) end
  if #ended > 0 then redis.call('HDEL', k.tries, unpack(ended)) end
  for wire, some in pairs(landed) do
    if #some > 0 then redis.call('ZREM', wire, unpack(some)) end
  end
  if #excerpts > 0 then redis.call('ZADD', k.excerpts, unpack(excerpts)) end
end

local function storeAttempt(key, outcome, begun, attempted)
  -- A record that has expired in the meantime is not created again, because the new record would never
  -- expire.
  if redis.call('EXISTS', key) == 0 then return end
  if attempted == '' then return redis.call('HSET', key, 'state', outcome) end
  redis.call('HSET', key, 'state', outcome, 'attempts', begun, 'attempt:' .. begun, attempted)
  local old = begun - ${limits.attemptsPerDelivery}
  if old > 0 then redis.call('HDEL', key, string.format('attempt:%.0f', old)) end
end

local function record(delivery, key, block, attempt, outcome, delay, attempted, said, claimedAt, counts)
  local begun, failed, number, team, replay = ${createReadTryEntryLua("tries[delivery] or ''")}
  local backlog, wire = k.pending, k.inflight
  if replay and replay ~= '' then backlog, wire = k.replays, k.replaying end
  if begun ~= attempt or not leased[wire][delivery] then return false end
  leased[wire][delivery] = nil
  if outcome == 'returned' then
    keepTry(delivery, ${createWriteTryEntryLua({...entryVariables, begun: "string.format('%.0f', begun - 1)"})})
    table.insert(returned[wire], delivery)
    return true
  end
  table.insert(landed[wire], delivery)
  local head, since
  local known = team ~= '' and redis.call('HGET', k.heads, team)
  if known then
    head, since = string.match(known, '^(.*):(%d+)$')
    -- Only the first delivery of a team is sent, so this delivery must have been the first.
    if not head then head, since, k.repaired = delivery, now, k.repaired + 1 end
  end
  if outcome == 'retrying' then
    failed = string.format('%.0f', failed + counts)
    keepTry(delivery, ${createWriteTryEntryLua(entryVariables)})
    redis.call('ZADD', head == delivery and k.pending or backlog, now + delay, delivery)
    if head == delivery and now + delay > since + ${dayMs} then advance(k, team, now) end
  else
    tries[delivery] = nil
    ended[#ended + 1] = delivery
    if replay ~= '' then
      redis.pcall('HINCRBY', k.replayed, replay .. (outcome == 'succeeded' and ':succeeded' or ':failed'), 1)
    end
    if head == delivery then advance(k, team, now) end
  end
  local only = string.match(listed[delivery] or '', '^%d+$')
  if not only or outcome ~= 'succeeded' or begun ~= '1' or not putDone(block, delivery, only, attempted) then
    if only then takeOut(key, block, delivery, k.webhook) end
    storeAttempt(key, outcome, begun, attempted)
  end
  if said ~= '' and claimedAt > tonumber(state.forgotten or '0') then
    excerpts[#excerpts + 1] = now
    excerpts[#excerpts + 1] = delivery .. ':' .. begun .. ':' .. said
  end
  return true
end`.trim();

/** The Lua that reads the webhook's state, with all functions that `recordResults` calls. */
export const resultFunctions = [stateFunctions, chargeFunction, recordFunction].join('\n');

/** The Lua that records all results. `refused` counts the results whose lease was lost. */
export const recordResults = `
local refused, health, suffixes, inBlocks = 0, {}, {}, {}
for i = 1, ${resultCount} do
  suffixes[i] = ${resultDelivery}
  inBlocks[2 * i - 1], inBlocks[2 * i] = suffixes[i], ${resultBlock}
end
if #suffixes > 0 then readTries(suffixes, inBlocks) end
for i in ipairs(suffixes) do
  ${readResult}
  claimedAt = tonumber(claimedAt)
  if not record(delivery, ${resultKey}, ${resultBlock}, attempt, outcome, delay, attempted, said, claimedAt, counted) then
    refused = refused + 1
  elseif outcome == 'returned' then
    -- A test request that was never sent has no result, so the next test need not wait longer.
    if state.breaker == 'open' and claimedAt > tonumber(state.opened) then set('probe', now) end
  else
    if charged ~= 'none' then
      local success = charged == 'success'
      charge(success, claimedAt, errorName .. ':' .. status)
      local fields = success and {'ok', bucket} or {'bad', bucket, errorName ~= '' and errorName or nil}
      for _, field in ipairs(fields) do health[field] = (health[field] or 0) + 1 end
    end
    if slow ~= '' then set('slow', ${slowMemory}) elseif state.slow then set('slow', state.slow ~= '1' and state.slow - 1 or nil) end
  end
end
writeTries()
writeDone(request.keptFor)
for field, count in pairs(health) do redis.pcall('HINCRBY', k.health, field, count) end
if next(health) then redis.call('EXPIRE', k.health, ${lifetimes.health}) end
if #excerpts > 0 then
  redis.call('ZREMRANGEBYRANK', k.excerpts, 0, -${limits.excerptsPerWebhook + 1})
  redis.call('EXPIRE', k.excerpts, request.keptFor)
end`.trim();
