-- True when an event that a process has read is still in the log. A restored store counts its events again,
-- so new events could get the numbers of lost ones. If this event is the same, all earlier events are too.
local function isInLog(events, sequence, at, about)
  local entry = redis.call('XRANGE', events, sequence, sequence)[1]
  local time = tonumber(at)
  -- Two times that are not numbers count as equal, as both become nil.
  if time ~= time then time = nil end
  return entry and tonumber(entry[2][2]) == time and (entry[2][6] or '') == about
end
