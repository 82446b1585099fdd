#!lua flags=allow-oom
-- Creates the installation unless it exists, and returns 1 for a new one.
-- KEYS: the hash of the installation, the id of the stored data.
-- ARGV: a new id for the stored data, then the fields of the installation with their values.
for i = 2, #ARGV, 2 do redis.call('HSETNX', KEYS[1], ARGV[i], ARGV[i + 1]) end
return redis.call('SET', KEYS[2], ARGV[1], 'NX') and 1 or 0
