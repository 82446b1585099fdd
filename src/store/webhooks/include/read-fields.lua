-- Reads the fields of deliveries. `asked`: a flat list of id suffixes, each followed by its block.
--- @include "delivery-blocks"
local function readFields(asked)
  local blocks, found = {}, {}
  for i = 1, #asked, 2 do
    local block = asked[i + 1]
    blocks[block] = blocks[block] or {}
    table.insert(blocks[block], asked[i])
  end
  for block, suffix in pairs(blocks) do
    local fields = {}
    for i, one in ipairs(suffix) do fields[i] = fieldOf(one) end
    for i, entry in ipairs(redis.call('HMGET', block, unpack(fields))) do found[suffix[i]] = entry end
  end
  return found
end
