-- Creates one delivery of an event, unless it exists. `k` is a table of one webhook's keys, see
-- webhook-keys.lua.
-- `lookUp` reads once which deliveries exist, and `keepMade` writes all at once, because a command for each
-- would cost more. `lookUp` takes the argument of `readFields`. `k.count`: the number of created deliveries.
-- `k.free`: the number of deliveries that the caller may send at once, under a lease that ends at `k.ends`.
--- @include "enqueue"
--- @include "read-fields"
--- @include "../../core/include/keep-for"
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
  if not k.made[name] then k.listed[name] = positionOfBlock(sequence) end
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
  if (k.free or 0) > 0 then
    k.free = k.free - 1
    append(k, 'tried', suffix, writeTry('1', '0', number, '', ''))
    append(k, 'leased', k.ends, suffix)
    append(k, 'handed', suffix, number)
  else
    enqueue(k, suffix, sequence, team, '', number, now)
  end
end

local function keepMade(k)
  for block, fields in pairs(k.blocks) do
    redis.call('HSET', block, unpack(fields))
    keepFor(block, k.lifetime)
  end
  for name, position in pairs(k.listed) do redis.call('ZADD', k.list, position, name) end
  if k.count > 0 then redis.call('HSET', k.state, 'n', string.format('%.0f', k.number)) end
  if k.leased then redis.call('ZADD', k.inflight, unpack(k.leased)) end
  keepQueued(k)
end
