-- Records what a look at a member's status in Slack has seen for a run, and drops looks of long ago.
--- @keys statuses
--- @args run, look
--- @const slackStatusLifetime
local kept = redis.call('HGETALL', statuses)
for i = 1, #kept, 2 do
  local at = tonumber(string.match(kept[i + 1], '^%d+')) or 0
  if at < now - slackStatusLifetime * 1000 then redis.call('HDEL', statuses, kept[i]) end
end
redis.call('HSET', statuses, run, look)
redis.call('EXPIRE', statuses, slackStatusLifetime)
