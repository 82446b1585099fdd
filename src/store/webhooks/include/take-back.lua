-- Returns deliveries with an expired lease to the front of the waiting ones. Otherwise they would come last,
-- and come even later if workers are often killed. A delivery that was lost more than three times goes to the
-- end, because it may be what kills the workers. Deliveries that were given back unsent also go to the front.

-- The tolerance for a clock that is set back: a dead worker's leases last that much longer.
local clockSlackMs = 120000
-- The number of times that an attempt without a recorded result is repeated before other waiting deliveries.
local maxPriorityRetries = 3

local function bySequence(a, b) return string.sub(a, -8) < string.sub(b, -8) end

local function putBack(wire, backlog, some)
  if #some == 0 then return end
  table.sort(some, bySequence)
  local front = {}
  for _, each in ipairs({k.pending, backlog}) do
    front[each] = math.min(now, tonumber(redis.call('ZRANGE', each, 0, 0, 'WITHSCORES')[2] or now)) - 1
  end
  for i, delivery in ipairs(some) do
    local begun, failed, _, team = readTry(redis.call('HGET', k.tries, delivery))
    local isHead = state.ordering == 'per_team' and team and team ~= '' and
      string.match(redis.call('HGET', k.heads, team) or '', '^[^:]*') == delivery
    local to = isHead and k.pending or backlog
    local due = begun and begun - failed > maxPriorityRetries and now or front[to] + i / 512
    redis.call('ZREM', wire, delivery)
    redis.call('ZADD', to, due, delivery)
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
  local latest = now + lease + clockSlackMs
  putBack(wire, backlog, redis.call('ZRANGE', wire, latest, '+inf', 'BYSCORE', 'LIMIT', 0, 500))
end
