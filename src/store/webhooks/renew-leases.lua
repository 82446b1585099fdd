#!lua flags=allow-oom
-- Extends leases of deliveries. The webhook is then checked when its leases end, unless a retry or a test is
-- due earlier, or a throttle may let it continue earlier.
-- KEYS (core/keys.ts explains them): the workspace's ready, then for each webhook: inflight, replaying,
-- tries, pending, replays, state.
-- ARGV: the length of the lease (ms), the number of webhooks, the names of their work, then for each claim:
-- the index of its webhook (from 1), the delivery, the attempt.
-- Returns for each claim 1 if it is held, else 0.
--- @const deliverWork
--- @include "../core/include/clock"
--- @include "include/try-entry"
local lease, count = now + ARGV[1], tonumber(ARGV[2])
local function firstOf(a, b)
  local x = tonumber(redis.call('ZRANGE', a, 0, 0, 'WITHSCORES')[2])
  local y = tonumber(redis.call('ZRANGE', b, 0, 0, 'WITHSCORES')[2])
  return x and y and math.min(x, y) or x or y
end
local ends, held = {}, {}
for i = 1, count do ends[i] = firstOf(KEYS[6 * i - 4], KEYS[6 * i - 3]) end
for i = count + 3, #ARGV, 3 do
  local at, suffix = 6 * ARGV[i] - 4, ARGV[i + 1]
  local begun, _, _, _, replay = readTry(redis.call('HGET', KEYS[at + 2], suffix))
  local wire = KEYS[replay == '' and at or at + 1]
  local isHeld = begun == ARGV[i + 2] and redis.call('ZSCORE', wire, suffix)
  if isHeld then redis.call('ZADD', wire, lease, suffix) end
  held[#held + 1] = isHeld and 1 or 0
end
for i = 1, count do
  local at, work = 6 * i - 4, deliverWork .. ARGV[i + 2]
  local probe, throttle = unpack(redis.call('HMGET', KEYS[at + 5], 'probe', 'throttle'))
  probe = tonumber(probe or '')
  if not throttle and tonumber(redis.call('ZSCORE', KEYS[1], work) or -1) == ends[i] then
    local look = firstOf(KEYS[at], KEYS[at + 1])
    for _, backlog in ipairs({KEYS[at + 3], KEYS[at + 4]}) do
      local later = '(' .. string.format('%.0f', now)
      local due = redis.call('ZRANGE', backlog, later, '+inf', 'BYSCORE', 'LIMIT', 0, 1, 'WITHSCORES')[2]
      if due then look = math.min(look, due) end
    end
    if probe and probe > now then look = math.min(look, probe) end
    redis.call('ZADD', KEYS[1], look, work)
  end
end
return held
