#!lua flags=allow-oom
-- Deletes the stored data of a Slack user.
-- KEYS: the pending items of the user's channel, the due Slack work, the workspace's head, the list of
-- everything stored for the user, the installation, the bot token, then the key of each thing in that list.
-- ARGV: the Slack id, the name of the channel's work, then the names in that list.
-- Returns 1 when a reminder was left.
local pending, ready, kept = KEYS[1], KEYS[2], KEYS[4]
local user, work = ARGV[1], ARGV[2]
--- @include "../core/include/exact-clock"
-- Without its bot, no one can edit the reminder, so its record is deleted. A token may be in the environment.
local removed = redis.call('EXISTS', KEYS[5]) == 1 and redis.call('EXISTS', KEYS[6]) == 0
local served = redis.call('HEXISTS', KEYS[3], 'cursor:slack') == 1 and not removed
local function forget(entry, key)
  if string.sub(entry, 1, 5) == 'told/' then
    local others = {}
    for _, one in ipairs(cjson.decode(redis.call('HGET', key, 'told') or '[]')) do
      if one ~= user then others[#others + 1] = one end
    end
    if redis.call('EXISTS', key) == 1 then
      redis.call('HSET', key, 'told', #others > 0 and cjson.encode(others) or '[]')
    end
    return true
  end
  if string.sub(entry, 1, 7) == 'prompt/' then
    -- A reminder that now belongs to another Slack account must stay.
    if redis.call('HGET', key, 'user') ~= user then return true end
    local shownFields = redis.call('HEXISTS', key, 'ts') + redis.call('HEXISTS', key, 'sending')
      + redis.call('HEXISTS', key, 'old')
    if served and shownFields > 0 then return false end
  end
  redis.call('DEL', key)
  return true
end
local left = 0
for i = 3, #ARGV do
  if forget(ARGV[i], KEYS[i + 4]) then
    redis.call('SREM', kept, ARGV[i])
    redis.call('ZREM', pending, ARGV[i])
  else
    left = 1
    redis.call('ZADD', pending, now, ARGV[i])
    redis.call('ZADD', ready, 'LT', now, work)
  end
end
if left == 0 and redis.call('EXISTS', kept) == 0 then
  redis.call('DEL', pending)
  redis.call('ZREM', ready, work)
end
return left
