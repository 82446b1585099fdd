#!lua
-- Creates the deliveries of some events and moves the replay's position past them, so a repeat has no
-- effect.
-- KEYS (core/keys.ts explains them): the replay, the webhook's record and state, the workspace's ready, the
-- webhook's list of deliveries, pending, tries, waiting, heads, replays, the workspace's head, then each
-- delivery.
-- ARGV: the position before and after, the number of matched deliveries, the id suffixes of the webhook and
-- the replay, the replay's id, the lifetime (s), the workspace's limit (bytes; 0 for none), then for each
-- delivery: its id suffix, the event number, the team, the number of the event for this webhook.
-- Returns 1 when done, 0 if the replay has another position or has ended or the workspace is read-only, -1
-- if its webhook is disabled, -2 if the workspace is full.
--- @const positionsPerEvent
-- The approximate memory of a delivery by a replay, which has its own key because it is in no block.
local replayedBytes = 400
local at = redis.call('HMGET', KEYS[1], 'state', 'cursor')
if at[1] ~= 'running' or at[2] ~= ARGV[1] or redis.call('EXISTS', KEYS[2]) == 0 then return 0 end
if redis.call('HEXISTS', KEYS[11], 'frozen') == 1 then return 0 end
if #KEYS > 11 and redis.call('HEXISTS', KEYS[3], 'off') == 1 then return -1 end
if #KEYS > 11 and ARGV[8] ~= '0'
  and tonumber(redis.call('HGET', KEYS[11], 'bytes') or 0) >= tonumber(ARGV[8]) then
  redis.call('HSET', KEYS[1], 'waits', '1')
  return -2
end
--- @include "include/enqueue"
--- @include "../core/include/clock"
local k = {
  pending = KEYS[6], tries = KEYS[7], state = KEYS[3], ready = KEYS[4], waiting = KEYS[8], heads = KEYS[9],
  replays = KEYS[10], webhook = ARGV[4],
}
k.ordered = redis.call('HGET', k.state, 'ordering') == 'per_team'
local made = 0
for i = 12, #KEYS do
  local first = 9 + (i - 12) * 4
  local suffix, sequence, team, number = unpack(ARGV, first, first + 3)
  if redis.call('HSETNX', KEYS[i], 'webhook', ARGV[4]) == 1 then
    redis.call('HSET', KEYS[i], 'replay', ARGV[6], 'made', now)
    if number ~= '' then redis.call('HSET', KEYS[i], 'n', number) end
    if not k.ordered then team = '' elseif team ~= '' then redis.call('HSET', KEYS[i], 'team', team) end
    redis.call('EXPIRE', KEYS[i], ARGV[7])
    -- The event's position is taken by its first delivery, in a block, so the replay's one goes next to it.
    local others = redis.call('ZCOUNT', KEYS[5], '(' .. sequence, '(' .. string.format('%.0f', sequence + 1))
    local offset = math.min(others + 1, positionsPerEvent - 1) / positionsPerEvent
    redis.call('ZADD', KEYS[5], sequence + offset, suffix)
    enqueue(k, suffix, sequence, team, ARGV[5], number, now)
    made = made + 1
  end
end
keepQueued(k)
if made > 0 then redis.call('HINCRBY', KEYS[11], 'bytes', made * replayedBytes) end
redis.call('HDEL', KEYS[1], 'waits')
redis.call('HSET', KEYS[1], 'cursor', ARGV[2])
redis.call('HINCRBY', KEYS[1], 'matched', ARGV[3])
return 1
