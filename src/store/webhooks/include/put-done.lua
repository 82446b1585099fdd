-- Stores the only attempt of a successful delivery in its block. Returns false if the attempt is too long for
-- a field: 64 is the maximum length of a field in Redis's compact form of a hash.
--- @include "delivery-blocks"
--- @include "../../core/include/keep-for"
local done = {}
local function putDone(block, suffix, number, attempted)
  local entry = number .. ',' .. attempted
  if attempted == '' or #entry > 64 then return false end
  done[block] = done[block] or {}
  table.insert(done[block], fieldOf(suffix))
  table.insert(done[block], entry)
  return true
end

local function writeDone(lifetime)
  for block, entries in pairs(done) do
    redis.call('HSET', block, unpack(entries))
    keepFor(block, lifetime)
  end
end
