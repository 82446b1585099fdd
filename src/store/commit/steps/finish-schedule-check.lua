-- Records until when (ms) the steps of a team are done, and plans the next check; empty for none.
--- @keys looks, ready
--- @args team, seen, work, nextAt
local asked = string.match(redis.call('HGET', looks, team) or '', '^%d+')
if asked then redis.call('HSET', looks, team, string.format('%s %.0f', asked, math.min(seen, now))) end
if nextAt == '' then redis.call('ZREM', ready, work) else redis.call('ZADD', ready, nextAt, work) end
