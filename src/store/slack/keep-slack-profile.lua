#!lua flags=allow-oom
-- Stores a picture or locale, or deletes it if no value is given.
-- KEYS: the key of the picture or locale, the list of everything stored for the Slack user.
-- ARGV: its name in that list, the lifetime (s), the value (absent to delete).
if ARGV[3] then
  redis.call('SET', KEYS[1], ARGV[3], 'EX', ARGV[2])
  redis.call('SADD', KEYS[2], ARGV[1])
  redis.call('EXPIRE', KEYS[2], ARGV[2])
else
  redis.call('DEL', KEYS[1])
  redis.call('SREM', KEYS[2], ARGV[1])
end
return 1
