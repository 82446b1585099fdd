#!lua flags=allow-oom
-- Records results, ends expired leases, and claims what may be sent now, for one or more webhooks of a
-- workspace. New deliveries come first; those of replays get at most a quarter of the requests. The answer
-- may include a webhook's current record, headers and secrets, so that no request uses old ones.
-- include/claim-request.lua names KEYS and ARGV; claim-codec.ts explains them and the answers.
--
-- The included files use locals of those before them: `now` of clock.lua, `lease`, `keptFor` and
-- `recordPrefix` of claim-request.lua, `k` and `request` of `step`, `state`, `set` and `keepState` of
-- webhook-state.lua. `step` uses `refused` of record-results.lua, and `claims` and `events` of claim.lua.
--- @const catchUpWork, deliverWork, disableAttempts, disableMs, pendingPerWebhook, warnAttempts, warnMs
--- @include "../core/include/clock"
--- @include "include/claim-request"

-- The work whose next check is later, each after its time, and the work that is finished.
local later, finished = {}, {}

-- Does everything for one webhook, and returns the answer about it.
local function step(k, request)
--- @include "include/record-results"
--- @include "include/take-back"
--- @include "include/find-room"
--- @include "include/claim"

-- The largest number of leases for a fast receiver, which has four times as many leases as requests in
-- progress. Requests then continue while a script records. It must be at least twice the largest number of
-- requests.
local leasedAtMost = 64

-- True after most results: nothing of the webhook waits or is on its way.
local isIdle = not state.behind and not state.failing
  and redis.call('EXISTS', k.pending, k.inflight, k.replays, k.replaying, k.waiting, k.heads) == 0
if not isIdle then
  takeBack(k.inflight, k.pending)
  takeBack(k.replaying, k.replays)
end
-- The webhook no longer keeps the order of teams, so deliveries that wait for theirs may be sent.
if not isIdle and state.ordering ~= 'per_team' and redis.call('EXISTS', k.waiting, k.heads) > 0 then
  local waiting = redis.call('ZRANGE', k.waiting, 0, 499)
  for _, entry in ipairs(waiting) do redis.call('ZADD', k.pending, now, string.match(entry, '[^:]*$')) end
  if #waiting > 0 then redis.call('ZREM', k.waiting, unpack(waiting)) end
  if #waiting < 500 then redis.call('DEL', k.heads) end
end

-- In a read-only workspace results are recorded, and nothing is claimed.
local cap = (request.concurrency == 0 or redis.call('HEXISTS', k.head, 'frozen') == 1) and 0
  or math.min(state.concurrency or request.concurrency, request.atMost)
local live = not state.off and (isIdle or redis.call('EXISTS', k.subscription) == 1)
local low = isIdle and 0 or redis.call('ZCARD', k.replaying)
local flying = isIdle and 0 or redis.call('ZCARD', k.inflight) + low
local room, roomAt, seconds, left = 0, nil, nil, nil
local probing = state.breaker == 'open'
local isFree = live and cap > 0 and not state.breaker and not string.match(state.throttle or '', '^[1-9]')
-- Only a worker that holds all current leases claims in advance, so that no requests of other workers
-- count. If only one request is allowed at a time, nothing is claimed in advance.
local leads = isFree and cap > 1 and not state.streak and not state.slow and refused == 0
  and request.held and flying <= request.held
if live and cap > 0 and not isIdle then
  room, roomAt, seconds, left = findRoom(leads and math.min(4 * cap, leasedAtMost) or cap, flying)
  local share = math.max(1, math.floor(cap / 4)) - low
  room = room - claim(k.pending, room)
  local replayed = claim(k.replays, math.min(room, share))
  room, low = room - replayed, share - replayed
  -- If this test request gets no result, the next one is due after the same interval.
  if probing and #claims > 0 then set('probe', now + state.every) end
end
if seconds and #claims > 0 then
  for i = 1, #claims, 5 do redis.call('ZADD', k.starts, now, claims[i] .. ':' .. claims[i + 1]) end
  redis.call('EXPIRE', k.starts, seconds)
  if #claims / 5 >= left then roomAt = throttledUntil(seconds) end
end
keepState()

local function first(key) return tonumber(redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')[2]) end
local function sooner(a, b) return a and b and math.min(a, b) or a or b end
-- If no more requests are allowed, the webhook is checked again when a lease ends. A worker that stops
-- leaves due deliveries to another one.
local due
if live and not isIdle and (cap == 0 or room > 0 or roomAt) then
  due = first(k.pending)
  if cap == 0 or low > 0 or roomAt then due = sooner(due, first(k.replays)) end
  if due and roomAt then due = math.max(due, roomAt) end
end
local waits = isFree and not isIdle and room < 1 and (first(k.pending) or now + 1) <= now
local look = not isIdle and sooner(due, sooner(first(k.inflight), first(k.replaying)))
local work = deliverWork .. k.webhook
if look then
  later[#later + 1], later[#later + 2] = look, work
else
  finished[#finished + 1] = work
end

-- A webhook that fell behind gets deliveries only when half of its space is free, so many at once.
local behind = state.behind
  and redis.call('ZCARD', k.pending) + redis.call('ZCARD', k.waiting) <= pendingPerWebhook / 2
if behind then redis.call('ZADD', k.ready, 'LT', now, catchUpWork .. k.webhook) end

-- The consequence of the webhook's failures: 0 for none, 1 to warn, 2 to disable.
local failureAction, lasted, attempts = 0, now - (state.failing or now), tonumber(state.failed or '0')
if live and lasted >= disableMs and attempts >= disableAttempts then
  failureAction = 2
elseif live and lasted >= warnMs and attempts >= warnAttempts and not state.warned then
  failureAction = 1
end
-- Deliveries that were claimed in advance earlier also go to the webhook's current URL.
local target = (#claims > 0 or (live and not isIdle and request.held))
  and redis.call('MGET', k.subscription, k.headers, k.secret, k.earlier, k.earliest)
return {
  now, look or false, refused, claims, events, target or false, probing or false, state.slow or false,
  failureAction, k.repaired, behind or false, waits or false, isFree and cap or 0,
}
end

local answers = {}
for i = 1, requestCount do answers[i] = step(nextRequest()) end
if #later > 0 then redis.call('ZADD', KEYS[1], unpack(later)) end
if #finished > 0 then redis.call('ZREM', KEYS[1], unpack(finished)) end
return answers
