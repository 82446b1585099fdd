#!lua flags=no-writes
-- Reads the health of a webhook.
-- KEYS (core/keys.ts explains them): the webhook's record, state, pending, inflight, replays, replaying and
-- waiting, the workspace's head, then the webhook's health in each hour.
-- ARGV: the webhook's id suffix, the fields of the state.
-- Returns the time, the record, the fields of the state, the size of each set, the first due time of pending
-- and of replays, the end of the oldest delivery's id (empty for none; exact if at most twice `looked`
-- wait), for each hour the counts as field and number, and the number of events by which the webhook is
-- behind.
--- @const cursorPrefix
--- @include "../core/include/clock"
-- The due deliveries read at each end of the list to find the oldest event: first due, longest postponed.
local looked = 100
local record = redis.call('GET', KEYS[1])
if not record then return false end
local state = redis.call('HMGET', KEYS[2], unpack(ARGV, 2))
local sizes, first = {}, {}
for i = 3, 7 do sizes[i - 2] = redis.call('ZCARD', KEYS[i]) end
for i, key in ipairs({KEYS[3], KEYS[5]}) do
  first[i] = redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')[2] or ''
end
local oldest = ''
local function look(key, from, to)
  for _, delivery in ipairs(redis.call('ZRANGE', key, from, to)) do
    local sequence = string.sub(delivery, -8)
    if oldest == '' or sequence < oldest then oldest = sequence end
  end
end
look(KEYS[3], 0, looked - 1)
if sizes[1] > looked then look(KEYS[3], -looked, -1) end
look(KEYS[4], 0, looked - 1)
local hours = {}
for i = 9, #KEYS do hours[i - 8] = redis.call('HGETALL', KEYS[i]) end
local at = redis.call('HMGET', KEYS[8], 'sequence', cursorPrefix .. ARGV[1])
return {now, record, state, sizes, first, oldest, hours, at[2] and at[1] - at[2] or 0}
