-- Appends an event to the log.
--- @keys events
--- @args kind, about, revision, team, actor
sequence = sequence + 1
local id, time = string.format('%d-0', sequence), string.format('%d', at)
if actor then
  redis.call('XADD', events, id, 'n', time, 't', kind, 'a', about, 'r', revision, 'm', team, 'p', actor)
else
  redis.call('XADD', events, id, 'n', time, 't', kind, 'a', about, 'r', revision, 'm', team)
end
