#!lua flags=no-writes
-- Finds lists with entries at or after a position.
-- KEYS: the lists.
-- ARGV: the position.
-- Returns the numbers of the lists found, counted from 1.
local filled = {}
for i, key in ipairs(KEYS) do
  if redis.call('ZCOUNT', key, ARGV[1], '+inf') > 0 then filled[#filled + 1] = i end
end
return filled
