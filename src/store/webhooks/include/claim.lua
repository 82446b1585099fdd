-- Claims a delivery. A claim includes the delivery's event, whose number ends the id, and the current
-- record of the event's resource. One step reads both, because a second read would delay the delivery.
-- `k`, `request`, `lease` and `now`: see claim-deliveries.lua.
--- @const alphabet
--- @include "read-entry"
local function eventOf(delivery)
  local sequence = 0
  for digit in string.gmatch(string.sub(delivery, -8), '.') do
    local value = string.find(alphabet, digit, 1, true)
    if not value then return false end
    sequence = 32 * sequence + value - 1
  end
  local id = string.format('%.0f', sequence)
  local event = redis.call('XRANGE', k.events, id, id)[1]
  if not event then return false end
  -- KEYS does not name this key, because only the event does. Its cluster slot is that of the workspace.
  local latest = redis.pcall('GET', recordPrefix .. (event[2][6] or ''))
  return {event[1], event[2], type(latest) == 'string' and latest}
end

-- `claims` has five texts for each claim: delivery, attempt, failures, number, replay.
local claims, events = {}, {}
-- The number is formatted once: Redis would format it at each use, which takes longer than the rest.
local ends = string.format('%.0f', now + lease)
local function claim(backlog, most)
  if most < 1 then return 0 end
  local due = redis.call('ZRANGE', backlog, '-inf', now, 'BYSCORE', 'LIMIT', 0, most)
  if #due == 0 then return 0 end
  local entries, begun = redis.call('HMGET', k.tries, unpack(due)), {}
  local wires = {[k.inflight] = {}, [k.replaying] = {}}
  for i, delivery in ipairs(due) do
    local tried, failed, number, team, replay = entryOf(k, delivery, entries[i])
    tried = string.format('%.0f', tried + 1)
    begun[2 * i - 1] = delivery
    begun[2 * i] = writeTry(tried, failed, number, team, replay)
    -- A team's first delivery is in pending even if a replay made it, but its lease is a replay's lease.
    local wire = wires[replay == '' and k.inflight or k.replaying]
    wire[#wire + 1] = ends
    wire[#wire + 1] = delivery
    local n = #claims
    claims[n + 1], claims[n + 2], claims[n + 3] = delivery, tried, failed
    claims[n + 4], claims[n + 5] = number, replay
    if request.withEvents then events[#events + 1] = eventOf(delivery) end
  end
  redis.call('HSET', k.tries, unpack(begun))
  redis.call('ZREM', backlog, unpack(due))
  for wire, some in pairs(wires) do
    if #some > 0 then redis.call('ZADD', wire, unpack(some)) end
  end
  return #due
end
