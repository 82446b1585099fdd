-- Adds the memory that the commit uses to that of its workspace.
--- @args bytes
redis.call('HINCRBY', headKey, 'bytes', bytes)
