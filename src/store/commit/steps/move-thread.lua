-- Moves the comments of a standup to another day, in the list of all comments.
--- @keys thread, comments
--- @args day
--- @const sequencesPerDay
local listed = redis.call('ZRANGE', thread, 0, -1, 'WITHSCORES')
for i = 1, #listed, 2 do
  redis.call('ZADD', comments, 'XX', day * sequencesPerDay + listed[i + 1] % sequencesPerDay, listed[i])
end
