-- Moves a resource to other days in lists.
--- @const sequencesPerDay
local function moveInLists(lists, days, suffix)
  for i, list in ipairs(lists) do
    local position = redis.call('ZSCORE', list, suffix)
    if position then
      redis.call('ZADD', list, days[i] * sequencesPerDay + position % sequencesPerDay, suffix)
    end
  end
end
