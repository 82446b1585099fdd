-- Makes waiting deliveries of a webhook due. They keep their order. The retry schedule starts again, so that
-- the attempts now do not use it up.
--- @keys pending, replays, tries, state, ready
--- @args webhook
--- @const deliverWork, triedAtOnce
--- @include "../../webhooks/include/try-entry"
local left = triedAtOnce
for _, backlog in ipairs({pending, replays}) do
  local later = '(' .. string.format('%.0f', now)
  local some = left > 0 and redis.call('ZRANGE', backlog, later, '+inf', 'BYSCORE', 'LIMIT', 0, left) or {}
  left = left - #some
  if #some > 0 then
    local entries, due, changed = redis.call('HMGET', tries, unpack(some)), {}, {}
    for i, delivery in ipairs(some) do
      due[2 * i - 1], due[2 * i] = now - 1 + i / (2 * triedAtOnce), delivery
      local begun, _, number, team, replay = readTry(entries[i])
      if begun then
        changed[#changed + 1] = delivery
        changed[#changed + 1] = writeTry(begun, '0', number, team, replay)
      end
    end
    redis.call('ZADD', backlog, unpack(due))
    if #changed > 0 then redis.call('HSET', tries, unpack(changed)) end
  end
end
if redis.call('HGET', state, 'breaker') == 'open' then
  redis.call('HSET', state, 'probe', string.format('%.0f', now))
end
redis.call('ZADD', ready, 'LT', now, deliverWork .. webhook)
