-- Enables a webhook, and deletes the fields about its failures (record-results.lua). A replay that waited for
-- it continues.
--- @keys state, ready
--- @args work
--- @const replayWork
local replay = redis.call('HGET', state, 'replay')
redis.call('HDEL', state, 'off', 'breaker', 'opened', 'probe', 'every', 'ramp', 'ok', 'streak', 'recent',
  'failing', 'failed', 'warned', 'slow', 'same', 'last')
redis.call('HSET', state, 'anew', now)
redis.call('ZADD', ready, now, work)
if replay then redis.call('ZADD', ready, now, replayWork .. replay) end
