#!lua flags=allow-oom
-- Records a heartbeat of a process of any role.
-- KEYS: the processes, the hash of the installation.
-- ARGV: the name of this process, what it says about itself.
-- Returns the format of the data.
--- @include "include/clock"
-- The time without a heartbeat after which a process is forgotten.
local forgottenMs = 3600 * 1000
local all = redis.call('HGETALL', KEYS[1])
for i = 1, #all, 2 do
  if now - (tonumber(string.match(all[i + 1], '^%d+') or '') or 0) > forgottenMs then
    redis.call('HDEL', KEYS[1], all[i])
  end
end
redis.call('HSET', KEYS[1], ARGV[1], string.format('%.0f ', now) .. ARGV[2])
return redis.call('HGET', KEYS[2], 'format')
