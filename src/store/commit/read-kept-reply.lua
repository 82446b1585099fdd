#!lua flags=allow-oom
-- Reads the stored answer to an idempotency key, and writes the head again as it is. The answer may be given
-- when replicas have what it says. WAIT tells that only after a write of its own connection.
-- KEYS: the answer, the workspace's head.
local kept = redis.call('GET', KEYS[1])
local sequence = kept and redis.call('HGET', KEYS[2], 'sequence')
if sequence then redis.call('HSET', KEYS[2], 'sequence', sequence) end
return kept
