#!lua flags=allow-oom
-- Gives up deliveries of one webhook, except those with a request in progress. If a delivery was the first
-- of its team, the next one of that team may be sent.
--
-- KEYS: the webhook's waiting deliveries, those with a request in progress, the same two for replays, the
-- unfinished deliveries (tries), the due work, the deliveries that wait for their team, the first delivery
-- of each team, the results of replays, the webhook's state, then each delivery and its block.
-- ARGV: the webhook, then for each delivery: its id suffix, the number of its event.
-- Returns the number of deliveries that were given up.
--- @const deliverWork
--- @include "../core/include/clock"
local k = {
  pending = KEYS[1], replays = KEYS[3], tries = KEYS[5], waiting = KEYS[7], heads = KEYS[8], state = KEYS[10],
}
--- @include "include/advance-team"
--- @include "include/delivery-blocks"
--- @include "include/take-out"
--- @include "include/read-entry"
local expired, advanced = 0, false
for i = 1, (#KEYS - 10) / 2 do
  local suffix, sequence, key, block = ARGV[2 * i], ARGV[2 * i + 1], KEYS[9 + 2 * i], KEYS[10 + 2 * i]
  local entry = redis.call('HGET', k.tries, suffix)
  if entry and not redis.call('ZSCORE', KEYS[2], suffix) and not redis.call('ZSCORE', KEYS[4], suffix) then
    local _, _, _, team, replay = entryOf(k, suffix, entry)
    redis.call('HDEL', k.tries, suffix)
    redis.call('ZREM', k.pending, suffix)
    redis.call('ZREM', k.replays, suffix)
    if team ~= '' then
      redis.call('ZREM', k.waiting, team .. ':' .. string.format('%016.0f', sequence) .. ':' .. suffix)
      if string.match(redis.call('HGET', k.heads, team) or '', '^[^:]*') == suffix then
        advance(k, team, now)
        advanced = true
      end
    end
    if replay ~= '' then redis.pcall('HINCRBY', KEYS[9], replay .. ':failed', 1) end
    takeOut(key, block, suffix, ARGV[1])
    -- A record that has expired by itself is not created again, because the new record would never expire.
    if redis.call('EXISTS', key) == 1 then redis.call('HSET', key, 'state', 'expired') end
    expired = expired + 1
  end
end
if advanced then redis.call('ZADD', KEYS[6], 'LT', now, deliverWork .. ARGV[1]) end
return expired
