-- Returns the row, the size and the last comment of each thread that has comments. Most pages have none.
local function findThreads(threads)
  local found = {}
  if #threads == 0 or redis.call('EXISTS', unpack(threads)) == 0 then return found end
  for i, thread in ipairs(threads) do
    local last = redis.call('ZRANGE', thread, -1, -1)[1]
    if last then found[#found + 1] = {i, redis.call('ZCARD', thread), last} end
  end
  return found
end
