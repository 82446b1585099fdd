-- Adds a new resource to lists. Positions in a list must be unique. Otherwise a page that ends between two
-- equal positions would skip an entry. `days`: the day in each list, or one for all.
--- @const sequencesPerDay
local function addToLists(lists, days, sequence, suffix)
  local position
  for i, list in ipairs(lists) do
    if days[i] then position = string.format('%d', days[i] * sequencesPerDay + sequence) end
    redis.call('ZADD', list, position, suffix)
  end
end
