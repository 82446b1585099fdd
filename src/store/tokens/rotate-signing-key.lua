#!lua flags=allow-oom
-- Replaces the signing key. If another rotation happens at the same time, this one starts again.
if redis.call('HGET', KEYS[1], 'current') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'current', ARGV[2], ARGV[3], ARGV[4])
if #ARGV > 4 then redis.call('HDEL', KEYS[1], unpack(ARGV, 5)) end
return 1
