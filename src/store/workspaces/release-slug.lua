#!lua flags=allow-oom
if redis.call('HGET', KEYS[1], ARGV[1]) == ARGV[2] then
  redis.call('SREM', KEYS[2], ARGV[2])
  return redis.call('HDEL', KEYS[1], ARGV[1])
end
return 0
