-- Makes a token valid until an instant. The time comes from the clock that tokens use, which is not always
-- that of the Redis server (time-source.ts).
--- @keys token
--- @args validUntil, proof
redis.call('SET', token, proof, 'PX', math.max(1, validUntil - now))
