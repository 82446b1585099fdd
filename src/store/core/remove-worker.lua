#!lua flags=allow-oom
-- Removes a process.
-- KEYS: the running processes, each scheduler's lease.
-- ARGV: the name of the process.
redis.call('HDEL', KEYS[1], ARGV[1])
for i = 2, #KEYS do
  if redis.call('GET', KEYS[i]) == ARGV[1] then redis.call('DEL', KEYS[i]) end
end
return 1
