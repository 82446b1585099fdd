#!lua flags=no-writes
-- Finds events by time.
-- KEYS: the workspace's head, the event log.
-- ARGV: two instants (ms).
-- Returns for each instant the number of the first event at or after it.
local function entryFrom(sequence)
  return redis.call('XRANGE', KEYS[2], string.format('%.0f-0', sequence), '+', 'COUNT', 1)[1]
end
local function sequenceOf(entry) return tonumber(string.match(entry[1], '^%d+')) end
local oldest = entryFrom(0)
local past = tonumber(redis.call('HGET', KEYS[1], 'sequence') or '0') + 1
local found = {}
for i = 1, 2 do
  local low, high = oldest and sequenceOf(oldest) or past, past
  while low < high do
    local middle = math.floor((low + high) / 2)
    local entry = entryFrom(middle)
    if not entry or (tonumber(entry[2][2]) or 0) >= tonumber(ARGV[i]) then
      high = middle
    else
      low = sequenceOf(entry) + 1
    end
  end
  found[i] = low
end
return found
