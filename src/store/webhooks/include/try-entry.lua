-- The entry of an unfinished delivery in the hash `tries`. Its parts, in this order:
-- - the number of attempts that have begun
-- - the number of failures that count in the retry schedule
-- - the sequence number of the event for this webhook; empty if the delivery never waited in a queue
-- - the id suffix of the team whose deliveries are sent in order; empty for a webhook without order
-- - the id suffix of the replay that created the delivery; empty without a replay

-- Returns the parts of an entry; nil when the entry is missing or unreadable.
local function readTry(entry)
  return string.match(entry or '', '^(%d+):(%d+):(%d*):([^:]*):(.*)$')
end

local function writeTry(begun, failed, number, team, replay)
  return begun .. ':' .. failed .. ':' .. number .. ':' .. team .. ':' .. replay
end
