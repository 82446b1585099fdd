import {alphabet} from '../../domain/core/ids.js';
import {
  createAddClaimLua,
  createAnswerRowLua,
  claimCount,
  createClaimPartLua,
  createEventRowLua,
  keyTable,
  readTarget,
  requestTable,
  encodeFailureAction,
} from './claim-codec.js';
import {recordResults, resultFunctions} from './claim-results.js';
import {entryVariables, createReadTryEntryLua, createWriteTryEntryLua} from './try-entry.js';
import {workPrefixes} from '../../domain/core/work.js';
import {limits} from '../../domain/core/limits.js';
import {failingLimits} from '../../domain/webhooks/webhook-failing.js';
import {script} from '../core/connection.js';
import {advanceFunction, entryFunction} from './delivery-lua.js';
import {blockFunctions, doneFunctions, fieldsFunction, takeOutFunction} from './delivery-blocks.js';

/**
 * The tolerance (ms) for a clock that is set back. By less than this, the only effect is that a dead worker's
 * leases last longer.
 */
const clockSlackMs = 120_000;
/**
 * The number of times that an attempt without a recorded result is repeated before other waiting deliveries.
 */
const maxPriorityRetries = 3;
/**
 * The largest number of leases for a fast receiver, which has four times as many leases as requests in
 * progress. Requests then continue while a script records. It must be at least twice the largest number of
 * requests.
 */
const leasedAtMost = 64;
/**
 * The Lua that returns deliveries with an expired lease to the front of the waiting ones. Otherwise they
 * would come last, and come even later if workers are often killed. A delivery that was lost more than three
 * times goes to the end, because it may be what kills the workers. Deliveries that were given back unsent
 * also go to the front.
 */
const takeBackFunction = `
local function bySequence(a, b) return string.sub(a, -8) < string.sub(b, -8) end

local function putBack(wire, backlog, some)
  if #some == 0 then return end
  table.sort(some, bySequence)
  local front = {}
  for _, each in ipairs({k.pending, backlog}) do
    front[each] = math.min(now, tonumber(redis.call('ZRANGE', each, 0, 0, 'WITHSCORES')[2] or now)) - 1
  end
  for i, delivery in ipairs(some) do
    local entry = redis.call('HGET', k.tries, delivery) or ''
    local begun, failed, team = ${createReadTryEntryLua('entry', ['begun', 'failed', 'team'])}
    local isHead = state.ordering == 'per_team' and team and team ~= '' and
      string.match(redis.call('HGET', k.heads, team) or '', '^[^:]*') == delivery
    local to = isHead and k.pending or backlog
    redis.call('ZREM', wire, delivery)
    redis.call('ZADD', to, begun and begun - failed > ${maxPriorityRetries} and now or front[to] + i / 512, delivery)
  end
end

local function takeBack(wire, backlog)
  if redis.call('ZCARD', wire) == 0 then return end
  putBack(wire, backlog, returned[wire])
  -- A request that arrives late, for example after its process was frozen, ends no leases. Its own process
  -- has not renewed its leases in the meantime.
  if request.sureUntil and now > request.sureUntil then return end
  putBack(wire, backlog, redis.call('ZRANGE', wire, '-inf', now, 'BYSCORE', 'LIMIT', 0, 500))
  -- A lease that would end impossibly late was taken before the clock was set back, so it is ended.
  putBack(wire, backlog, redis.call('ZRANGE', wire, now + lease + ${clockSlackMs}, '+inf', 'BYSCORE', 'LIMIT', 0, 500))
end`.trim();

/**
 * The Lua that returns how many more deliveries may be sent now and, if none, when this may change (nil: when
 * a request ends). An open circuit breaker allows one test when it is due, a recovering one a few requests at
 * a time.
 */
const roomFunction = `
local function throttledUntil(seconds)
  return redis.call('ZRANGE', k.starts, 0, 0, 'WITHSCORES')[2] + 1000 * seconds + 1
end

local function findRoom(cap, flying)
  local room, at = cap - flying, nil
  if state.breaker == 'open' then
    room = math.min(room, 1 - flying)
    -- A test request that is due impossibly late was planned before the clock was set back.
    local probe = tonumber(state.probe)
    if probe > now and probe - now <= tonumber(state.every) then room, at = 0, probe end
  elseif state.breaker == 'ramp' then
    room = math.min(room, state.ramp - flying)
  end
  local max, seconds = string.match(state.throttle or '', '^([1-9]%d*)/([1-9]%d*)$')
  if not max or room < 1 then return room, at end
  redis.call('ZREMRANGEBYSCORE', k.starts, '-inf', now - 1000 * seconds)
  redis.call('ZREMRANGEBYSCORE', k.starts, '(' .. string.format('%.0f', now), '+inf')
  local left = max - redis.call('ZCARD', k.starts)
  if left < 1 then at = throttledUntil(seconds) end
  return math.min(room, left), at, seconds, left
end`.trim();

/**
 * The Lua that claims a delivery. A claim includes the delivery's event, whose number ends the id, and the
 * current record of the event's resource. One step reads both, because a second read would delay the
 * delivery.
 */
const claimFunction = `
local function eventOf(delivery)
  local sequence = 0
  for digit in string.gmatch(string.sub(delivery, -8), '.') do
    local value = string.find('${alphabet}', digit, 1, true)
    if not value then return false end
    sequence = 32 * sequence + value - 1
  end
  local id = string.format('%.0f', sequence)
  local event = redis.call('XRANGE', k.events, id, id)[1]
  if not event then return false end
  -- KEYS does not name this key, because only the event does. It is in the same cluster slot as all keys of
  -- its workspace.
  local latest = redis.pcall('GET', request.recordPrefix .. (event[2][6] or ''))
  return ${createEventRowLua({id: 'event[1]', fields: 'event[2]', latest: "type(latest) == 'string' and latest"})}
end

local claims, events = {}, {}
-- The number is formatted once here. Redis would format it again at each use, which takes longer than the
-- rest.
local ends = string.format('%.0f', now + lease)
local function claim(backlog, most)
  if most < 1 then return 0 end
  local due = redis.call('ZRANGE', backlog, '-inf', now, 'BYSCORE', 'LIMIT', 0, most)
  if #due == 0 then return 0 end
  local entries, begun, wires = redis.call('HMGET', k.tries, unpack(due)), {}, {[k.inflight] = {}, [k.replaying] = {}}
  for i, delivery in ipairs(due) do
    local tried, failed, number, team, replay = entryOf(k, delivery, entries[i])
    tried = string.format('%.0f', tried + 1)
    begun[2 * i - 1] = delivery
    begun[2 * i] = ${createWriteTryEntryLua({...entryVariables, begun: 'tried'})}
    -- A team's first delivery waits in the list pending even if a replay made it, but its lease counts as a replay's
    -- lease.
    local wire = wires[replay == '' and k.inflight or k.replaying]
    wire[#wire + 1] = ends
    wire[#wire + 1] = delivery
    ${createAddClaimLua({delivery: 'delivery', attempt: 'tried', failures: 'failed', number: 'number', replay: 'replay'})}
    if request.recordPrefix then events[#events + 1] = eventOf(delivery) end
  end
  redis.call('HSET', k.tries, unpack(begun))
  redis.call('ZREM', backlog, unpack(due))
  for wire, some in pairs(wires) do
    if #some > 0 then redis.call('ZADD', wire, unpack(some)) end
  end
  return #due
end`.trim();

/**
 * Records results, ends expired leases, and claims what may be sent now. New deliveries come first; those of
 * replays get at most a quarter of the requests.
 *
 * claim-codec.ts has the names of keys, requests and answers. The answer may include the webhook's current
 * record, headers and secrets, so that no request uses old ones.
 */
export const claimScript = script(`#!lua flags=allow-oom
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local request = ${requestTable}
local lease = request.lease
local k = ${keyTable}
k.webhook, k.repaired = request.webhook, 0
${advanceFunction}
${entryFunction}
${blockFunctions}
${fieldsFunction}
${takeOutFunction}
${doneFunctions}
${resultFunctions}
${takeBackFunction}
${roomFunction}
${claimFunction}

${recordResults}

takeBack(k.inflight, k.pending)
takeBack(k.replaying, k.replays)
-- The webhook no longer sends the deliveries of a team in order, so those that wait for their team may be
-- sent.
if state.ordering ~= 'per_team' and redis.call('EXISTS', k.waiting, k.heads) > 0 then
  local waiting = redis.call('ZRANGE', k.waiting, 0, 499)
  for _, entry in ipairs(waiting) do redis.call('ZADD', k.pending, now, string.match(entry, '[^:]*$')) end
  if #waiting > 0 then redis.call('ZREM', k.waiting, unpack(waiting)) end
  if #waiting < 500 then redis.call('DEL', k.heads) end
end

local cap = request.concurrency == 0 and 0 or math.min(state.concurrency or request.concurrency, request.atMost)
local live = not state.off and redis.call('EXISTS', k.subscription) == 1
local low = redis.call('ZCARD', k.replaying)
local flying = redis.call('ZCARD', k.inflight) + low
local room, roomAt, seconds, left = 0, nil, nil, nil
local probing = state.breaker == 'open'
local isFree = live and cap > 0 and not state.breaker and not string.match(state.throttle or '', '^[1-9]')
-- Only a worker that holds all current leases claims in advance, so that no requests of other workers count.
-- If only one request is allowed at a time, nothing is claimed in advance.
local leads = isFree and cap > 1 and not state.streak and not state.slow and refused == 0 and request.held and flying <= request.held
if live and cap > 0 then
  room, roomAt, seconds, left = findRoom(leads and math.min(4 * cap, ${leasedAtMost}) or cap, flying)
  local share = math.max(1, math.floor(cap / 4)) - low
  room = room - claim(k.pending, room)
  local replayed = claim(k.replays, math.min(room, share))
  room, low = room - replayed, share - replayed
  -- If this test request gets no result, the next one is due after the same interval.
  if probing and #claims > 0 then set('probe', now + state.every) end
end
if seconds and #claims > 0 then
  for i = 1, ${claimCount} do redis.call('ZADD', k.starts, now, ${createClaimPartLua('delivery')} .. ':' .. ${createClaimPartLua('attempt')}) end
  redis.call('EXPIRE', k.starts, seconds)
  if ${claimCount} >= left then roomAt = throttledUntil(seconds) end
end
keepState()

local function first(key) return tonumber(redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')[2]) end
local function sooner(a, b) return a and b and math.min(a, b) or a or b end
-- If no more requests are allowed, the webhook is checked again when a lease ends. A worker that stops leaves
-- due deliveries to another one.
local due
if live and (cap == 0 or room > 0 or roomAt) then
  due = first(k.pending)
  if cap == 0 or low > 0 or roomAt then due = sooner(due, first(k.replays)) end
  if due and roomAt then due = math.max(due, roomAt) end
end
local waits = isFree and room < 1 and (first(k.pending) or now + 1) <= now
local look = sooner(due, sooner(first(k.inflight), first(k.replaying)))
if not look then
  redis.call('ZREM', k.ready, '${workPrefixes.deliver}' .. k.webhook)
else
  redis.call('ZADD', k.ready, look, '${workPrefixes.deliver}' .. k.webhook)
end

-- Deliveries for a webhook that has fallen behind are created again only when half of the space for waiting
-- deliveries is free, so that many are created at once.
local behind = state.behind and redis.call('ZCARD', k.pending) + redis.call('ZCARD', k.waiting) <= ${limits.pendingPerWebhook / 2}
if behind then redis.call('ZADD', k.ready, 'LT', now, '${workPrefixes.catchUp}' .. k.webhook) end

local failureAction, lasted, attempts = ${encodeFailureAction('well')}, now - (state.failing or now), tonumber(state.failed or '0')
if live and lasted >= ${failingLimits.disable.ms} and attempts >= ${failingLimits.disable.attempts} then
  failureAction = ${encodeFailureAction('disable')}
elseif live and lasted >= ${failingLimits.warn.ms} and attempts >= ${failingLimits.warn.attempts} and not state.warned then
  failureAction = ${encodeFailureAction('warn')}
end
-- Deliveries that were claimed in advance earlier also go to the webhook's current URL.
local target = (#claims > 0 or (live and request.held)) and ${readTarget}
return ${createAnswerRowLua({
  now: 'now',
  nextAt: 'look',
  refused: 'refused',
  claims: 'claims',
  events: 'events',
  target: 'target',
  isProbe: 'probing',
  slow: 'state.slow',
  failureAction: 'failureAction',
  repaired: 'k.repaired',
  mayCatchUp: 'behind',
  waits: 'waits',
  wire: 'isFree and cap or 0',
})}`);
