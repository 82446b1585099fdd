-- Stores the answer for repeats with the same idempotency key. With `room` bytes used, it is not stored,
-- because a full workspace would keep growing. `keptKey`: see check-repeat.lua.
--- @args answer
--- @fixed room
--- @const idempotencyLifetime
if not room or tonumber(head[5] or 0) < room then
  redis.call('SET', keptKey, answer, 'EX', idempotencyLifetime)
end
