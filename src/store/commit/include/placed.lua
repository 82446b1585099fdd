-- Positions of resources without an event. The counter of the workspace gives a hundred numbers at once,
-- since a commit may place as many; numbers that are not used do no harm. `expireLast` is called for each
-- resource, and sets the end of a list once.
--- @const sequencesPerDay
local placed, placedEnd, expiring = 0, 0, nil
local function nextPlaced()
  if placed == placedEnd then
    placedEnd = redis.call('HINCRBY', headKey, 'imported', 100)
    placed = placedEnd - 100
  end
  placed = placed + 1
  return sequencesPerDay / 2 + placed
end

local function expireLast(list, lifetime)
  if lifetime > 0 and expiring ~= list then redis.call('EXPIRE', list, lifetime) end
  expiring = list
end
