-- Starts a replay, and makes its work due. A replay that is no dry run counts as sending for a day. `oldest`
-- is a replay that it replaces: record, list entry and counts are removed together, so that it never shows
-- wrong counts.
--- @keys replay, list, state, ready, sending, replayed, oldestReplay
--- @args suffix, work, dryRun, oldest, fields...
--- @const runningReplayLifetime
local newest = redis.call('ZRANGE', list, -1, -1, 'WITHSCORES')[2]
redis.call('HSET', replay, 'at', at, 'state', 'running', unpack(fields))
redis.call('EXPIRE', replay, runningReplayLifetime)
redis.call('ZADD', list, math.max(now, tonumber(newest or '0') + 1), suffix)
redis.call('HSET', state, 'replay', suffix)
redis.call('ZADD', ready, now, work)
if dryRun ~= '1' then
  local dayMs = 24 * 3600 * 1000
  redis.call('ZREMRANGEBYSCORE', sending, '-inf', now - dayMs)
  redis.call('ZADD', sending, now, suffix)
  redis.call('PEXPIRE', sending, dayMs)
end
if oldest ~= '' then
  redis.call('DEL', oldestReplay)
  redis.call('ZREM', list, oldest)
  redis.call('HDEL', replayed, oldest .. ':succeeded', oldest .. ':failed')
end
