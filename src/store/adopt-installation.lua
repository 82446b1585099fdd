#!lua
-- Gives an installation without workspaces another id and other signing keys.
-- KEYS: the hash of the installation, its signing keys, the set of workspaces.
-- ARGV: the id, then the fields of the signing keys with their values.
-- Returns 1, or 0 if there are workspaces.
if redis.call('SCARD', KEYS[3]) > 0 then return 0 end
redis.call('HSET', KEYS[1], 'id', ARGV[1])
redis.call('DEL', KEYS[2])
for i = 2, #ARGV, 2 do redis.call('HSET', KEYS[2], ARGV[i], ARGV[i + 1]) end
return 1
