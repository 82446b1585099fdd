-- Makes the removal of a standup's comments due, if it has any.
--- @keys thread, ready
--- @args work
if redis.call('EXISTS', thread) == 1 then redis.call('ZADD', ready, now, work) end
