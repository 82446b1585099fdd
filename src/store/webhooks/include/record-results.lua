-- Records the results of a claim script. Each delivery ends or waits for its retry, and the webhook's
-- circuit breaker and health are updated. `k`, `request` and `now`: see claim-deliveries.lua.
--- @const attemptsPerDelivery, excerptsPerWebhook, healthLifetime
--- @include "advance-team"
--- @include "try-entry"
--- @include "read-fields"
--- @include "take-out"
--- @include "put-done"
--- @include "charge-receiver"

local dayMs = 24 * 3600 * 1000
-- The number of fast results in a row after which a webhook no longer counts as slow.
local slowMemory = 20
-- The number of responses above their limit at which the oldest are removed together.
local untrimmed = 10

-- One command reads all deliveries, and one command writes them.
local tries, listed, leased = {}, {}, {[k.inflight] = {}, [k.replaying] = {}}
local ended, kept, excerpts = {}, {}, {}
local landed, returned = {[k.inflight] = {}, [k.replaying] = {}}, {[k.inflight] = {}, [k.replaying] = {}}

local function readTries(suffixes, inBlocks)
  listed = readFields(inBlocks)
  local entries = redis.call('HMGET', k.tries, unpack(suffixes))
  local wired = redis.call('ZMSCORE', k.inflight, unpack(suffixes))
  local replayed
  for i, delivery in ipairs(suffixes) do
    tries[delivery], leased[k.inflight][delivery] = entries[i], wired[i]
    -- The entry of a delivery that a replay created ends with the replay.
    replayed = replayed or (entries[i] and string.sub(entries[i], -1) ~= ':')
  end
  if not replayed then return end
  for i, score in ipairs(redis.call('ZMSCORE', k.replaying, unpack(suffixes))) do
    leased[k.replaying][suffixes[i]] = score
  end
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
  -- An expired record is not created again, because the new one would never expire.
  if redis.call('EXISTS', key) == 0 then return end
  if attempted == '' then return redis.call('HSET', key, 'state', outcome) end
  redis.call('HSET', key, 'state', outcome, 'attempts', begun, 'attempt:' .. begun, attempted)
  local old = begun - attemptsPerDelivery
  if old > 0 then redis.call('HDEL', key, string.format('attempt:%.0f', old)) end
end

-- Applies one result, if its lease is still held. When the first delivery of a team has ended, or would
-- block its team for over a day, the next one may be sent.
local function record(i, delivery, attempt, outcome, delay, attempted, said, claimedAt, counts)
  local key, block = resultKeys(request, i)
  local begun, failed, number, team, replay = readTry(tries[delivery])
  local backlog, wire = k.pending, k.inflight
  if replay and replay ~= '' then backlog, wire = k.replays, k.replaying end
  if begun ~= attempt or not leased[wire][delivery] then return false end
  leased[wire][delivery] = nil
  if outcome == 'returned' then
    keepTry(delivery, writeTry(string.format('%.0f', begun - 1), failed, number, team, replay))
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
    keepTry(delivery, writeTry(begun, failed, number, team, replay))
    redis.call('ZADD', head == delivery and k.pending or backlog, now + delay, delivery)
    if head == delivery and now + delay > since + dayMs then advance(k, team, now) end
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
end

-- `refused` counts the results whose lease was lost.
local refused, health, suffixes, inBlocks = 0, {}, {}, {}
for i = 1, request.results do
  local _, block = resultKeys(request, i)
  suffixes[i] = resultFields(request, i)
  inBlocks[2 * i - 1], inBlocks[2 * i] = suffixes[i], block
end
if #suffixes > 0 then readTries(suffixes, inBlocks) end
for i in ipairs(suffixes) do
  local delivery, attempt, outcome, delay, attempted, said, claimedAt, charged, counted, slow, bucket,
    errorName, status = resultFields(request, i)
  claimedAt = tonumber(claimedAt)
  if not record(i, delivery, attempt, outcome, delay, attempted, said, claimedAt, counted) then
    refused = refused + 1
  elseif outcome == 'returned' then
    -- A test request that was never sent has no result, so the next test need not wait longer.
    if state.breaker == 'open' and claimedAt > tonumber(state.opened) then set('probe', now) end
  else
    if charged ~= 'none' then
      local success = charged == 'success'
      charge(success, claimedAt, errorName .. ':' .. status)
      local fields = success and {bucket} or {bucket, 'bad', errorName ~= '' and errorName or nil}
      for _, field in ipairs(fields) do health[field] = (health[field] or 0) + 1 end
    end
    if slow ~= '' then
      set('slow', slowMemory)
    elseif state.slow then
      set('slow', state.slow ~= '1' and state.slow - 1 or nil)
    end
  end
end
writeTries()
writeDone(keptFor)
for field, count in pairs(health) do redis.pcall('HINCRBY', k.health, field, count) end
if next(health) then keepFor(k.health, healthLifetime) end
if #excerpts > 0 then
  if redis.call('ZCARD', k.excerpts) > excerptsPerWebhook + untrimmed then
    redis.call('ZREMRANGEBYRANK', k.excerpts, 0, -(excerptsPerWebhook + 1))
  end
  keepFor(k.excerpts, keptFor)
end
