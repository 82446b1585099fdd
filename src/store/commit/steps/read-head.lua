-- Reads the head of the workspace. In an emptied store, every token would look revoked, so this comes
-- first. `sequence` is the last event's, and `first` that of the first event of this commit. `at`: the time
-- for the instants and ids of this commit. It is that of the last event if the clock is behind, as after a
-- failover, so that instants do not go back. A clock that was wrong by minutes is not followed. What is due,
-- or expires, follows `now`.
--- @keys headKey
--- @const storeLost, clockLeapMs
local head = redis.call('HMGET', headKey,
  'sequence', 'cursor:slack', 'version:teams', 'cursor:webhooks', 'bytes', 'frozen', 'at')
local sequence = tonumber(head[1] or '')
if not sequence then return {storeLost, now, quota} end
local first = sequence + 1
local at = tonumber(head[7] or '')
if not at or at < now or at - now > clockLeapMs then at = now end
