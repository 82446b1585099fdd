#!lua flags=allow-oom
-- Moves the position past an event about a delivery problem.
-- KEYS: the workspace's head, the event log, the due Slack work, the channel's problem, then for each person
-- who is told now: the record of the message, their pending items, the list of everything stored for them.
-- ARGV: the number, time (ms) and resource of the event, the number of the event by which people were told
-- before or '', the item, the lifetime (s), the people who are told now, the name in the lists of stored
-- data, the name of each person's work.
-- Returns 1, or 0 when the position, the event or the problem is another one.
--- @include "include/require-next"
--- @include "../core/include/exact-clock"
if redis.call('EXISTS', KEYS[4]) == 1 then
  if (redis.call('HGET', KEYS[4], 'notice') or '') ~= ARGV[4] then return 0 end
  redis.call('HSETNX', KEYS[4], 'notice', ARGV[1])
  -- Somebody who was told before may have been forgotten since the reader looked.
  local told = cjson.decode(redis.call('HGET', KEYS[4], 'told') or '[]')
  for _, person in ipairs(cjson.decode(ARGV[7])) do told[#told + 1] = person end
  redis.call('HSET', KEYS[4], 'told', #told > 0 and cjson.encode(told) or '[]')
  for i = 9, #ARGV do
    local notice, pending, kept = KEYS[3 * i - 22], KEYS[3 * i - 21], KEYS[3 * i - 20]
    redis.call('HSET', notice, 'failures', '0')
    redis.call('EXPIRE', notice, ARGV[6])
    redis.call('SADD', kept, ARGV[5], ARGV[8])
    redis.call('EXPIRE', kept, ARGV[6])
    redis.call('ZADD', pending, now, ARGV[5])
    redis.call('ZADD', KEYS[3], 'LT', now, ARGV[i])
  end
end
redis.call('HSET', KEYS[1], 'cursor:slack', ARGV[1])
return 1
