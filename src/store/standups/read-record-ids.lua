#!lua flags=no-writes
-- Returns the beginnings of records, which have their ids.
-- KEYS: the records.
-- ARGV: the number of the last byte to return.
local ids = {}
for i, record in ipairs(KEYS) do ids[i] = redis.call('GETRANGE', record, 0, ARGV[1]) end
return ids
