#!lua flags=allow-oom
-- Records a heartbeat.
-- KEYS: the running processes.
-- ARGV: the name of this process, its identity on its machine.
-- Returns the time, and the names and entries of all other processes.
--- @include "include/clock"
-- The time without a heartbeat after which a process is forgotten.
local forgottenMs = 24 * 3600 * 1000
local others = {}
local all = redis.call('HGETALL', KEYS[1])
for i = 1, #all, 2 do
  if now - (tonumber(string.match(all[i + 1], '^%d+') or '') or 0) > forgottenMs then
    redis.call('HDEL', KEYS[1], all[i])
  elseif all[i] ~= ARGV[1] then
    others[#others + 1] = all[i]
    others[#others + 1] = all[i + 1]
  end
end
redis.call('HSET', KEYS[1], ARGV[1], string.format('%.0f ', now) .. ARGV[2])
return {now, others}
