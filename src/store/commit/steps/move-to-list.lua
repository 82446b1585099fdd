-- Moves a resource from one list to another, at its position in a third, which may be the first.
--- @keys from, positionFrom, list
--- @args suffix
local position = redis.call('ZSCORE', positionFrom, suffix)
redis.call('ZREM', from, suffix)
if position then redis.call('ZADD', list, position, suffix) end
