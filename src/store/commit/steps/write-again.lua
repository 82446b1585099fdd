-- Writes the head again as it is, for a commit that may find nothing to write. WAIT tells whether replicas
-- have what the commit says only after a write of its own connection.
redis.call('HSET', headKey, 'sequence', sequence)
