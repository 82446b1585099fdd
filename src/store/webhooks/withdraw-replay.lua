#!lua flags=allow-oom
-- Withdraws the waiting deliveries of a cancelled replay. Requests in progress continue.
-- KEYS (core/keys.ts explains them): the replay, the webhook's pending, replays, waiting, heads, tries and
-- replayed, the workspace's ready, then each delivery.
-- ARGV: the id suffixes of the replay and of the webhook, then for each delivery: its id suffix, the event
-- number.
--- @const deliverWork
--- @include "include/try-entry"
if redis.call('HGET', KEYS[1], 'state') ~= 'cancelled' then return 0 end
--- @include "include/advance-team"
--- @include "../core/include/clock"
local k = {pending = KEYS[2], replays = KEYS[3], waiting = KEYS[4], heads = KEYS[5]}
local taken = 0
for i = 9, #KEYS do
  local suffix, sequence = ARGV[2 * i - 15], ARGV[2 * i - 14]
  local _, _, _, team, replay = readTry(redis.call('HGET', KEYS[6], suffix))
  local behind = team and team .. ':' .. string.format('%016.0f', sequence) .. ':' .. suffix
  if replay == ARGV[1] and redis.call('ZREM', k.replays, suffix) + redis.call('ZREM', k.pending, suffix)
    + redis.call('ZREM', k.waiting, behind) > 0 then
    redis.call('HDEL', KEYS[6], suffix)
    if redis.call('EXISTS', KEYS[i]) == 1 then redis.call('HSET', KEYS[i], 'state', 'aborted') end
    if team ~= '' and string.match(redis.call('HGET', k.heads, team) or '', '^[^:]*') == suffix then
      advance(k, team, now)
    end
    taken = taken + 1
  end
end
if taken > 0 then redis.call('ZADD', KEYS[8], 'LT', now, deliverWork .. ARGV[2]) end
if taken > 0 then redis.call('HINCRBY', KEYS[7], ARGV[1] .. ':failed', taken) end
return taken
