-- Updates the messages to people who were told about a problem. From the given position on, KEYS are each
-- person's pending items and the list of everything stored for them, and ARGV is the name of each person's
-- work.
--- @const eventLifetime
local function notifyAgain(ready, item, keys, args, now)
  for i = keys, #KEYS, 2 do
    redis.call('ZADD', KEYS[i], now, item)
    redis.call('EXPIRE', KEYS[i + 1], eventLifetime)
    redis.call('ZADD', ready, 'LT', now, ARGV[args + (i - keys) / 2])
  end
end
