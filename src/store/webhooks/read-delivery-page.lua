#!lua flags=no-writes
-- Reads a list of deliveries in descending order, with the contents of its blocks, until it has more than
-- enough.
-- KEYS: the list, the block in which the previous page ended.
-- ARGV: the highest and the lowest position, the number of deliveries, the prefix of block keys.
-- Returns the fields of that block, and for each entry of the list its name, its position, and the fields if
-- it is a block. A 1 at the end means that there may be more entries.
--- @const eventsPerBlock
--- @include "include/delivery-blocks"
local wanted, have = ARGV[3] + eventsPerBlock + 1, 0
local range = {ARGV[1], ARGV[2], 'BYSCORE', 'REV', 'LIMIT', 0, wanted, 'WITHSCORES'}
local entries = redis.call('ZRANGE', KEYS[1], unpack(range))
local found = {}
for i = 1, #entries, 2 do
  local name = entries[i]
  local fields = isBlockName(name) and redis.call('HKEYS', ARGV[4] .. name) or {}
  found[#found + 1] = {name, entries[i + 1], fields}
  have = have + math.max(1, #fields)
  if have >= wanted then break end
end
return {redis.call('HKEYS', KEYS[2]), found, have >= wanted and 1 or 0}
