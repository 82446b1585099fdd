-- Stores an answer that depends on the time of the commit, or on the number of its event. `room`: see keep-
-- answer.lua.
--- @args rest
--- @fixed room
--- @const idempotencyLifetime
if not room or tonumber(head[5] or 0) < room then
  local answer = '{"made":{"at":' .. at .. ',"sequence":' .. sequence .. '},' .. rest
  redis.call('SET', keptKey, answer, 'EX', idempotencyLifetime)
end
