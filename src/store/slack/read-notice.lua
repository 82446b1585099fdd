#!lua flags=allow-oom
-- Moves the position past one event, about which people get a message.
-- KEYS: the workspace's head, the event log, the due Slack work, then for each person: the record of the
-- message, the person's pending items, the list of everything stored for the person.
-- ARGV: the number, time (ms) and resource of the event, the item, the lifetime (s), then for each person
-- the name of their work.
-- Returns 1, or 0 when the log's position is another one.
--- @include "include/require-next"
--- @include "../core/include/exact-clock"
for i = 6, #ARGV do
  local notice, pending, kept = KEYS[3 * i - 14], KEYS[3 * i - 13], KEYS[3 * i - 12]
  redis.call('HSET', notice, 'failures', '0')
  redis.call('EXPIRE', notice, ARGV[5])
  redis.call('SADD', kept, ARGV[4])
  redis.call('EXPIRE', kept, ARGV[5])
  redis.call('ZADD', pending, now, ARGV[4])
  redis.call('ZADD', KEYS[3], 'LT', now, ARGV[i])
end
redis.call('HSET', KEYS[1], 'cursor:slack', ARGV[1])
return 1
