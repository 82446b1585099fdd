-- Reads the entry of a delivery in `tries`: started attempts, failures, number, team, replay. An unreadable
-- entry is replaced by one without attempts at its place in the order, so that it does not block others.
-- `k.repaired` counts such entries.
--- @include "try-entry"
local function entryOf(k, suffix, entry)
  entry = entry or ''
  local begun, failed, number, team, replay = readTry(entry)
  if begun then return begun, failed, number, team, replay end
  k.repaired = (k.repaired or 0) + 1
  team, replay = '', redis.call('ZSCORE', k.replays, suffix) and redis.call('HGET', k.state, 'replay') or ''
  local heads = redis.call('HGETALL', k.heads)
  for i = 1, #heads, 2 do
    if string.match(heads[i + 1], '^[^:]*') == suffix then team = heads[i] end
  end
  return string.match(entry, '^%d+') or '0', '0', '', team, replay
end
