#!lua flags=allow-oom
-- Replaces a value unless it changed, and keeps its lifetime. It takes no space, so a full store allows it.
if ARGV[3] then
  if redis.call('HGET', KEYS[1], ARGV[3]) ~= ARGV[1] then return 0 end
  redis.call('HSET', KEYS[1], ARGV[3], ARGV[2])
else
  if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
  redis.call('SET', KEYS[1], ARGV[2], 'KEEPTTL')
end
return 1
