-- Sends a delivery again. The attempts are still counted, but the retry schedule starts again. A delivery
-- that waits for another delivery of its team still waits.
--- @keys pending, inflight, replays, replaying, tries, state, waiting, heads, delivery, ready, block
--- @args suffix, webhook, eventNumber
--- @const deliverWork
--- @include "../../webhooks/include/enqueue"
--- @include "../../webhooks/include/take-out"
local k = {
  pending = pending, replays = replays, tries = tries, state = state, waiting = waiting, heads = heads,
  ready = ready, webhook = webhook,
}
local begun, _, number, team, replay = readTry(redis.call('HGET', tries, suffix))
if not begun then
  takeOut(delivery, block, suffix, webhook)
  local stored = redis.call('HMGET', delivery, 'attempts', 'n', 'team')
  if redis.call('EXISTS', delivery) == 1 then redis.call('HSET', delivery, 'state', 'pending') end
  enqueue(k, suffix, eventNumber, stored[3] or '', '', stored[2] or '', now, stored[1] or '0')
  keepQueued(k)
elseif not redis.call('ZSCORE', inflight, suffix) and not redis.call('ZSCORE', replaying, suffix) then
  redis.call('HSET', tries, suffix, writeTry(begun, '0', number, team, replay))
  if redis.call('EXISTS', delivery) == 1 then redis.call('HSET', delivery, 'state', 'pending') end
  redis.call('ZADD', pending, 'XX', now, suffix)
  redis.call('ZADD', replays, 'XX', now, suffix)
  redis.call('ZADD', ready, 'LT', now, deliverWork .. webhook)
end
