#!lua
-- Notes the progress of an import.
-- KEYS: the progress of the import.
-- ARGV: the process that imports, a field, its value.
-- Returns 1, or 0 if another process imports now.
if redis.call('HGET', KEYS[1], 'importer') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], ARGV[2], ARGV[3])
return 1
