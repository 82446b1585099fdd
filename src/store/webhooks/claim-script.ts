import {alphabet} from '../../domain/core/ids.js';
import {
  addClaim,
  answerRow,
  claimCount,
  claimPart,
  eventRow,
  keyTable,
  readResult,
  readTarget,
  requestTable,
  resultBlock,
  resultCount,
  resultDelivery,
  resultKey,
  standingCode,
} from './claim-codec.js';
import {isReplayed, readEntry, writeEntry} from './try-entry.js';
import {workPrefixes} from '../../domain/core/work.js';
import {lifetimes, limits} from '../../domain/core/limits.js';
import {failingLimits} from '../../domain/webhooks/webhook-failing.js';
import {script} from '../core/connection.js';
import {advanceFunction, entryFunction} from './delivery-lua.js';
import {blockFunctions, doneFunctions, fieldsFunction, takeOutFunction} from './delivery-blocks.js';

/** Failures in a row, or failures among so many attempts, that open a webhook's breaker. */
const breaker = {streak: 5, recent: 20, half: 10, probeMs: 30_000, probeMaxMs: 900_000, fullRamp: 4} as const;

/** The variables in which the parts of an entry stand. */
const entry = {begun: 'begun', failed: 'failed', number: 'number', team: 'team', replay: 'replay'};

const dayMs = 24 * 3_600_000;
/**
 * A clock that is set back by less leaves a dead worker's leases for so much longer, and no more harm (ms).
 */
const clockSlackMs = 120_000;
/** How often an attempt that nobody recorded is made again ahead of what waits. */
const soonAgain = 3;
/**
 * A quick receiver has four times as many leases as requests on the wire, and no more than this: the wire
 * stays full until a script has recorded some and claimed more. It is at least twice the widest wire.
 */
const leasedAtMost = 64;
/** How many results in a row that were not slow end a webhook's being slow. */
const slowMemory = 20;

/**
 * What a result says of the receiver. State of the breaker: `breaker` (`open`, `ramp`; absent: closed), `opened`, `probe` (when the next
 * one goes out), `every` (how far apart probes are), all in ms; `ramp` (requests at a time on recovery), `ok` (successes at this ramp),
 * `streak` (failures in a row), `recent` (last results, newest last, 1 for a success). What began before the breaker opened does not change
 * it, and what began before the webhook was switched on or led elsewhere (`anew`) says nothing. `how`: error and status of the attempt, both
 * empty for none.
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
 * Fields of the state are few: all are read once, and those that \`set\` has changed are written back once. A
 * number that is none, and a breaker that lacks what it goes by, are dropped: the webhook must not stand
 * still.
 */
const stateFunctions = `
local words = {off = true, ordering = true, throttle = true, warned = true, breaker = true, recent = true, behind = true, last = true}
local numbers = {
  forgotten = true, concurrency = true, slow = true, failing = true, failed = true, opened = true, probe = true, every = true, ramp = true,
  ok = true, streak = true, anew = true, same = true,
}
local state, changed = {}, {}
local stored = redis.call('HGETALL', k.state)
for i = 1, #stored, 2 do
  local name, value = stored[i], stored[i + 1]
  if words[name] or (numbers[name] and string.match(value, '^%d+$')) then
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

local goesBy = {open = state.opened and state.every and state.probe, ramp = state.every and state.ramp and state.ok}
if state.breaker and not goesBy[state.breaker] then
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
 * Applies one result under the lease it was claimed with. A head of its team lets the next one go when it has ended, and when no attempt
 * more would come within a day of its becoming head. What stands of the deliveries is read once for all results, and written once: a
 * command for each would cost more than everything else here.
 */
const recordFunction = `
local tries, listed, leased = {}, {}, {[k.inflight] = {}, [k.replaying] = {}}
local ended, kept, excerpts = {}, {}, {}
local landed, returned = {[k.inflight] = {}, [k.replaying] = {}}, {[k.inflight] = {}, [k.replaying] = {}}

local function readTries(drawn, inBlocks)
  listed = readFields(inBlocks)
  local entries, wired = redis.call('HMGET', k.tries, unpack(drawn)), redis.call('ZMSCORE', k.inflight, unpack(drawn))
  local replayed
  for i, delivery in ipairs(drawn) do
    tries[delivery], leased[k.inflight][delivery] = entries[i], wired[i]
    replayed = replayed or (entries[i] and ${isReplayed('entries[i]')})
  end
  if not replayed then return end
  for i, score in ipairs(redis.call('ZMSCORE', k.replaying, unpack(drawn))) do leased[k.replaying][drawn[i]] = score end
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

local function keepAttempt(key, outcome, begun, attempted)
  -- A record that has expired meanwhile stays gone: written anew it would live for ever.
  if redis.call('EXISTS', key) == 0 then return end
  if attempted == '' then return redis.call('HSET', key, 'state', outcome) end
  redis.call('HSET', key, 'state', outcome, 'attempts', begun, 'attempt:' .. begun, attempted)
  local old = begun - ${limits.attemptsPerDelivery}
  if old > 0 then redis.call('HDEL', key, string.format('attempt:%.0f', old)) end
end

local function record(delivery, key, block, attempt, outcome, delay, attempted, said, claimedAt, counts)
  local begun, failed, number, team, replay = ${readEntry("tries[delivery] or ''")}
  local backlog, wire = k.pending, k.inflight
  if replay and replay ~= '' then backlog, wire = k.replays, k.replaying end
  if begun ~= attempt or not leased[wire][delivery] then return false end
  leased[wire][delivery] = nil
  if outcome == 'returned' then
    keepTry(delivery, ${writeEntry({...entry, begun: "string.format('%.0f', begun - 1)"})})
    table.insert(returned[wire], delivery)
    return true
  end
  table.insert(landed[wire], delivery)
  local head, since
  local known = team ~= '' and redis.call('HGET', k.heads, team)
  if known then
    head, since = string.match(known, '^(.*):(%d+)$')
    -- Of a team only the head is on the wire, so this is what was meant.
    if not head then head, since, k.repaired = delivery, now, k.repaired + 1 end
  end
  if outcome == 'retrying' then
    failed = string.format('%.0f', failed + counts)
    keepTry(delivery, ${writeEntry(entry)})
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
    keepAttempt(key, outcome, begun, attempted)
  end
  if said ~= '' and claimedAt > tonumber(state.forgotten or '0') then
    excerpts[#excerpts + 1] = now
    excerpts[#excerpts + 1] = delivery .. ':' .. begun .. ':' .. said
  end
  return true
end`.trim();

/**
 * Deliveries whose lease has run out wait again where they waited, in front of the others: the head of a team
 * in the live backlog, whatever it is. Behind the others they would be the last to come, and the more often a
 * worker is killed, the later. One that was lost so more than three times goes behind them all the same: it may
 * be what kills the workers. Deliveries that a worker gives back unsent go in front, too.
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
    local begun, failed, team = ${readEntry('entry', ['begun', 'failed', 'team'])}
    local isHead = state.ordering == 'per_team' and team and team ~= '' and
      string.match(redis.call('HGET', k.heads, team) or '', '^[^:]*') == delivery
    local to = isHead and k.pending or backlog
    redis.call('ZREM', wire, delivery)
    redis.call('ZADD', to, begun and begun - failed > ${soonAgain} and now or front[to] + i / 512, delivery)
  end
end

local function takeBack(wire, backlog)
  if redis.call('ZCARD', wire) == 0 then return end
  putBack(wire, backlog, returned[wire])
  -- Under way for so long, as from a process that was frozen: it has not renewed the leases of what it has out.
  if request.sureUntil and now > request.sureUntil then return end
  putBack(wire, backlog, redis.call('ZRANGE', wire, '-inf', now, 'BYSCORE', 'LIMIT', 0, 500))
  -- A lease that ends later than one could is of before the clock went back.
  putBack(wire, backlog, redis.call('ZRANGE', wire, now + lease + ${clockSlackMs}, '+inf', 'BYSCORE', 'LIMIT', 0, 500))
end`.trim();

/**
 * How many more may go out now, and if none: when that may change (nil: when something on the wire has ended). A breaker that is open lets
 * one probe out when it is time, and while it recovers a few at a time; a throttle looks at what began within its seconds.
 */
const roomFunction = `
local function throttledUntil(seconds)
  return redis.call('ZRANGE', k.starts, 0, 0, 'WITHSCORES')[2] + 1000 * seconds + 1
end

local function findRoom(cap, flying)
  local room, at = cap - flying, nil
  if state.breaker == 'open' then
    room = math.min(room, 1 - flying)
    -- A probe that is further away than one could be was noted before the clock went back.
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
 * A claim brings the event of its delivery, whose id ends in the sequence, and what it is about as that stands now. Read in the same step
 * they belong together, and nobody has to ask again: while requests crowd the store each question costs a delivery much of its time.
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
  -- Named by the event alone, in the slot of all keys of its workspace.
  local latest = redis.pcall('GET', request.recordPrefix .. (event[2][6] or ''))
  return ${eventRow({id: 'event[1]', fields: 'event[2]', latest: "type(latest) == 'string' and latest"})}
end

local claims, events = {}, {}
-- Redis writes out each number that it is given, which takes longer than the rest.
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
    begun[2 * i] = ${writeEntry({...entry, begun: 'tried'})}
    -- The head of a team waits in the live backlog, whatever it is; on the wire it counts where it belongs.
    local wire = wires[replay == '' and k.inflight or k.replaying]
    wire[#wire + 1] = ends
    wire[#wire + 1] = delivery
    ${addClaim({delivery: 'delivery', attempt: 'tried', failures: 'failed', number: 'number', replay: 'replay'})}
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
 * Records results, takes back what lost its lease, and claims what may go out now: the live backlog first,
 * replays with a quarter of the requests at the most.
 *
 * claim-codec.ts names its keys, its request and its answers. With claims, and for a process that leases in
 * advance, the answer has the webhook's record, headers and secrets as they are at this moment, so that nothing
 * goes out by what has been changed before.
 */
export const claimScript = script(`#!lua flags=allow-oom
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local request = ${requestTable}
local lease = request.lease
local k = ${keyTable}
k.webhook, k.repaired = request.webhook, 0
${stateFunctions}
${advanceFunction}
${entryFunction}
${chargeFunction}
${blockFunctions}
${fieldsFunction}
${takeOutFunction}
${doneFunctions}
${recordFunction}
${takeBackFunction}
${roomFunction}
${claimFunction}

local refused, health, drawn, inBlocks = 0, {}, {}, {}
for i = 1, ${resultCount} do
  drawn[i] = ${resultDelivery}
  inBlocks[2 * i - 1], inBlocks[2 * i] = drawn[i], ${resultBlock}
end
if #drawn > 0 then readTries(drawn, inBlocks) end
for i in ipairs(drawn) do
  ${readResult}
  claimedAt = tonumber(claimedAt)
  if not record(delivery, ${resultKey}, ${resultBlock}, attempt, outcome, delay, attempted, said, claimedAt, counted) then
    refused = refused + 1
  elseif outcome == 'returned' then
    -- A probe that was not sent says nothing: the next one need not wait for longer.
    if state.breaker == 'open' and claimedAt > tonumber(state.opened) then set('probe', now) end
  else
    if charged ~= 'none' then
      local success = charged == 'success'
      charge(success, claimedAt, fault .. ':' .. status)
      local fields = success and {'ok', bucket} or {'bad', bucket, fault ~= '' and fault or nil}
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
end

takeBack(k.inflight, k.pending)
takeBack(k.replaying, k.replays)
-- Order is no longer wanted: whoever waits for another goes.
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
-- More are leased in advance by who holds all leases there are: beside its own requests there are no others that count. Where one request
-- follows the other, each is the first that waits.
local leads = isFree and cap > 1 and not state.streak and not state.slow and refused == 0 and request.held and flying <= request.held
if live and cap > 0 then
  room, roomAt, seconds, left = findRoom(leads and math.min(4 * cap, ${leasedAtMost}) or cap, flying)
  local share = math.max(1, math.floor(cap / 4)) - low
  room = room - claim(k.pending, room)
  local replayed = claim(k.replays, math.min(room, share))
  room, low = room - replayed, share - replayed
  -- Whatever comes of a probe, or nothing at all: the next one is as far away as the last one was.
  if probing and #claims > 0 then set('probe', now + state.every) end
end
if seconds and #claims > 0 then
  for i = 1, ${claimCount} do redis.call('ZADD', k.starts, now, ${claimPart('delivery')} .. ':' .. ${claimPart('attempt')}) end
  redis.call('EXPIRE', k.starts, seconds)
  if ${claimCount} >= left then roomAt = throttledUntil(seconds) end
end
keepState()

local function first(key) return tonumber(redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')[2]) end
local function sooner(a, b) return a and b and math.min(a, b) or a or b end
-- Full: the next look is at the end of a lease. A worker that stops leaves what is due to be looked at by another one.
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

-- Half of the room is free again: a webhook that has fallen behind goes on, in large portions.
local behind = state.behind and redis.call('ZCARD', k.pending) + redis.call('ZCARD', k.waiting) <= ${limits.pendingPerWebhook / 2}
if behind then redis.call('ZADD', k.ready, 'LT', now, '${workPrefixes.catchUp}' .. k.webhook) end

local standing, lasted, attempts = ${standingCode('well')}, now - (state.failing or now), tonumber(state.failed or '0')
if live and lasted >= ${failingLimits.disable.ms} and attempts >= ${failingLimits.disable.attempts} then
  standing = ${standingCode('disable')}
elseif live and lasted >= ${failingLimits.warn.ms} and attempts >= ${failingLimits.warn.attempts} and not state.warned then
  standing = ${standingCode('warn')}
end
-- What is leased in advance goes to where the webhook leads now, too.
local target = (#claims > 0 or (live and request.held)) and ${readTarget}
return ${answerRow({
  now: 'now',
  nextAt: 'look',
  refused: 'refused',
  claims: 'claims',
  events: 'events',
  target: 'target',
  isProbe: 'probing',
  slow: 'state.slow',
  standing: 'standing',
  repaired: 'k.repaired',
  mayCatchUp: 'behind',
  waits: 'waits',
  wire: 'isFree and cap or 0',
})}`);
