#!lua
-- Lets one process go on with an import, and stops any other one that runs.
-- KEYS: the progress of the import, the workspace's head.
-- ARGV: the name of the process, the digest of its file.
-- Returns the number of lines that are written and the slug that is claimed. It returns nothing if the
-- workspace exists already, or if another file is being imported.
if redis.call('EXISTS', KEYS[2]) == 1 then return false end
local begun = redis.call('HMGET', KEYS[1], 'file', 'lines', 'slug')
if begun[1] and begun[1] ~= ARGV[2] then return false end
redis.call('HSET', KEYS[1], 'importer', ARGV[1], 'file', ARGV[2])
return {begun[2], begun[3]}
