-- Reads the head of the workspace. In an emptied store, every token would look revoked, so this comes
-- first. `sequence` is the last event's, and `first` that of the first event of this commit.
--- @keys headKey
--- @const storeLost
local head = redis.call('HMGET', headKey,
  'sequence', 'cursor:slack', 'version:teams', 'cursor:webhooks', 'bytes', 'frozen')
local sequence = tonumber(head[1] or '')
if not sequence then return {storeLost, now, quota} end
local first = sequence + 1
