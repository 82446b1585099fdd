-- Mutes the conversation about a standup for a member, or ends that. The oldest ones beyond the limit go.
--- @keys muted
--- @args standup, mutes
--- @const inboxLifetime, inboxMuted
if mutes == '1' then
  redis.call('ZADD', muted, now, standup)
  redis.call('ZREMRANGEBYRANK', muted, 0, -1 - inboxMuted)
  redis.call('EXPIRE', muted, inboxLifetime)
else
  redis.call('ZREM', muted, standup)
end
