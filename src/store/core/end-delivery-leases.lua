#!lua flags=allow-oom
-- Ends the leases of a webhook's deliveries.
-- KEYS: the due work, the deliveries in progress, those of replays in progress.
-- ARGV: the instant (ms) before which the leases would end, the name of the webhook's work.
-- Returns the number of ended leases.
local time = redis.call('TIME')
local now = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
local ended = 0
for i = 2, 3 do
  for _, delivery in ipairs(redis.call('ZRANGE', KEYS[i], '(' .. now, ARGV[1], 'BYSCORE')) do
    redis.call('ZADD', KEYS[i], now, delivery)
    ended = ended + 1
  end
end
if ended > 0 then redis.call('ZADD', KEYS[1], 'LT', now, ARGV[2]) end
return ended
