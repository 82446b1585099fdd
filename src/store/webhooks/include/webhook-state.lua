-- Reads the state of webhook `k` (the keys, see claim-request.lua) once, and writes the changed fields
-- once. Invalid numbers, and a circuit breaker without its required fields, are dropped so that the
-- webhook cannot get stuck.
local texts = {
  off = true, ordering = true, throttle = true, warned = true, breaker = true, recent = true, behind = true,
  last = true,
}
local numbers = {
  forgotten = true, concurrency = true, slow = true, failing = true, failed = true, opened = true,
  probe = true, every = true, ramp = true, ok = true, streak = true, anew = true, same = true,
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
  local fields = {'breaker', 'opened', 'every', 'probe', 'ramp', 'ok', 'recent', 'streak'}
  for _, name in ipairs(fields) do set(name, nil) end
end

local requiredFields = {
  open = state.opened and state.every and state.probe,
  ramp = state.every and state.ramp and state.ok,
}
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
end
