#!lua flags=allow-oom
local head = redis.call('HMGET', KEYS[1], 'sequence', 'cursor:' .. ARGV[1])
if head[1] and head[2] and head[1] ~= head[2] then return 1 end
redis.call('ZREM', KEYS[2], ARGV[2])
return 0
