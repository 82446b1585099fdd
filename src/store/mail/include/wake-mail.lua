-- Makes the work of mails due when the first unfinished mail is due.
local function wakeMail(due, ready, work)
  local first = redis.call('ZRANGE', due, 0, 0, 'WITHSCORES')
  if first[2] then redis.call('ZADD', ready, first[2], work) else redis.call('ZREM', ready, work) end
end
