-- Stores the key of the hashes of imports, unless the workspace has one.
--- @args importKey
redis.call('HSETNX', headKey, 'imported:key', importKey)
