#!lua flags=no-writes
-- Reads the time of the node that has a key.
-- KEYS: the key.
return redis.call('TIME')
