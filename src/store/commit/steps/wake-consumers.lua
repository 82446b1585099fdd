-- Wakes every reader of the event log. A reader that has not reached the end is already awake.
--- @keys ready, slackReady
--- @const fanOutWork, readSlackWork
redis.call('HSET', headKey, 'sequence', sequence, 'at', at)
if not head[4] or tonumber(head[4]) >= first - 1 then redis.call('ZADD', ready, 'LT', now, fanOutWork) end
if head[2] and tonumber(head[2]) >= first - 1 then
  redis.call('ZADD', slackReady, 'LT', now, readSlackWork)
end
