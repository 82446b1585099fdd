-- Appends an event to the log, with a detail unless its `field` is empty. If the same commit creates the
-- team, its id gets the time here, after `teamPrefix`.
--- @keys events
--- @args kind, about, revision, team, teamPrefix, field, detail, actor, trace
--- @include "../include/stamp"
sequence = sequence + 1
if teamPrefix ~= '' then team = teamPrefix .. stamp .. team end
local fields = {'n', string.format('%d', at), 't', kind, 'a', about, 'r', revision, 'm', team}
if field ~= '' then
  table.insert(fields, field)
  table.insert(fields, detail)
end
if actor and actor ~= '' then
  table.insert(fields, 'p')
  table.insert(fields, actor)
end
if trace then
  table.insert(fields, 'x')
  table.insert(fields, trace)
end
redis.call('XADD', events, string.format('%d-0', sequence), unpack(fields))
