-- Appends an event to the log.
--- @keys events
--- @args kind, about, revision, team, actor
sequence = sequence + 1
local id, at = string.format('%d-0', sequence), string.format('%d', now)
if actor then
  redis.call('XADD', events, id, 'n', at, 't', kind, 'a', about, 'r', revision, 'm', team, 'p', actor)
else
  redis.call('XADD', events, id, 'n', at, 't', kind, 'a', about, 'r', revision, 'm', team)
end
