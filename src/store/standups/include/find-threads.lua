-- Returns the row of each standup with comments or reactions, the number of its comments, the last of them
-- (or an empty text), and its reactions. `lists`: the comments of each standup, then the reactions to each.
-- Most pages have neither.
local function findThreads(lists)
  local found, count = {}, #lists / 2
  if count == 0 or redis.call('EXISTS', unpack(lists)) == 0 then return found end
  for i = 1, count do
    local comments = redis.call('ZCARD', lists[i])
    local reactions = redis.call('ZRANGE', lists[count + i], 0, -1)
    if comments + #reactions > 0 then
      found[#found + 1] = {i, comments, redis.call('ZRANGE', lists[i], -1, -1)[1] or '', reactions}
    end
  end
  return found
end
