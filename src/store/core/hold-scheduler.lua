#!lua flags=allow-oom
local holder = redis.call('GET', KEYS[1])
-- A lease that would end impossibly late was taken before the clock was set back, so it is ignored.
if holder and holder ~= ARGV[1] and redis.call('PTTL', KEYS[1]) <= tonumber(ARGV[2]) then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
