-- Lets a delivery wait. If the webhook sends a team's deliveries in order, the delivery waits behind the
-- first one of its team; otherwise it is added to the waiting deliveries, those of replays separately. A
-- team's first delivery is always in `pending`, because new deliveries must not wait behind replays.
-- `k` is a table of one webhook's keys (pending, tries, state, ready, waiting, heads, replays: core/keys.ts
-- explains them), with the webhook's id suffix as `webhook`. `begun`: the number of earlier attempts, 0 by
-- default. `keepQueued` must be called after the last delivery, and writes all.
--- @const deliverWork
--- @include "try-entry"
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
  append(k, 'tried', suffix, writeTry(begun or '0', '0', number, team, replay))
  local backlog = replay ~= '' and k.replays or k.pending
  if team ~= '' and k.ordered == nil then
    k.ordered = redis.call('HGET', k.state, 'ordering') == 'per_team'
  end
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
  if not k.woken then redis.call('ZADD', k.ready, 'LT', now, deliverWork .. k.webhook) end
  k.woken = true
end
