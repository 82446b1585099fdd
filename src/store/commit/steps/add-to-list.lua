-- Adds a resource to a list, at its position in another list.
--- @keys positionFrom, list
--- @args suffix
local position = redis.call('ZSCORE', positionFrom, suffix)
if position then redis.call('ZADD', list, position, suffix) end
