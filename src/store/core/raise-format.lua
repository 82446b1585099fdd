#!lua flags=allow-oom
-- Raises the format of the data, unless a process runs that does not read the new one.
-- KEYS: the hash of the installation, the processes, the workers.
-- ARGV: the new format, the time without a heartbeat (ms) after which a process has ended.
-- Returns the names of the processes that do not read it. It returns nothing if the data is lost.
--- @include "include/clock"
local found = tonumber(redis.call('HGET', KEYS[1], 'format') or '')
if not found then return false end
local function listRunning(key)
  local running = {}
  local all = redis.call('HGETALL', key)
  for i = 1, #all, 2 do
    if now - (tonumber(string.match(all[i + 1], '^%d+') or '') or 0) <= tonumber(ARGV[2]) then
      running[all[i]] = all[i + 1]
    end
  end
  return running
end

local described = listRunning(KEYS[2])
local refused = {}
for name, entry in pairs(described) do
  local reads = string.match(entry, '^%d+ ([%d,]+) ') or ''
  local readsIt = string.find(',' .. reads .. ',', ',' .. ARGV[1] .. ',', 1, true)
  if not readsIt then refused[#refused + 1] = name end
end
-- Versions that did not yet list themselves among the processes list their workers.
for name in pairs(listRunning(KEYS[3])) do
  if not described[name] then refused[#refused + 1] = name end
end
if #refused == 0 and found < tonumber(ARGV[1]) then redis.call('HSET', KEYS[1], 'format', ARGV[1]) end
return refused
