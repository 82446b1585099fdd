#!lua flags=allow-oom
-- Records a delivery problem.
-- KEYS: the channel's problem, the due Slack work, the list of channels with problems, then for each person
-- who was told: their pending items, the list of everything stored for them.
-- ARGV: the team, Slack's error code, the item that was given up or '', the lifetime (s), the channel, the
-- item of the messages to people, the name of each person's work.
--- @include "../core/include/exact-clock"
--- @include "include/notify-again"
local trouble, mustNotify = KEYS[1], true
if redis.call('HGET', trouble, 'state') == 'done' then
  redis.call('DEL', trouble)
  mustNotify = false
end
redis.call('HSETNX', trouble, 'since', string.format('%.0f', now))
redis.call('HSET', trouble, 'team', ARGV[1], 'tried', string.format('%.0f', now))
if ARGV[3] == '' then
  redis.call('HSET', trouble, 'code', ARGV[2], 'state', 'open')
else
  redis.call('HSETNX', trouble, 'state', 'open')
  redis.call('HSET', trouble, 'lost:' .. ARGV[3], ARGV[2])
end
redis.call('EXPIRE', trouble, ARGV[4])
-- The latest 1,000 channels are listed. Scores are unique, because the next page begins below the last one.
local latest = redis.call('ZRANGE', KEYS[3], -1, -1, 'WITHSCORES')[2]
local score = math.max(math.floor(now), tonumber(latest or '0') + 1)
redis.call('ZADD', KEYS[3], string.format('%.0f', score), ARGV[5])
redis.call('ZREMRANGEBYRANK', KEYS[3], 0, -1 - 1000)
redis.call('EXPIRE', KEYS[3], ARGV[4])
if mustNotify and ARGV[6] ~= '' then notifyAgain(KEYS[2], ARGV[6], 4, 7, now) end
return 1
