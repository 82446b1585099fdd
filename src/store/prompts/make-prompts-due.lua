#!lua flags=allow-oom
-- Makes reminders due.
-- KEYS: the due Slack work, then for each reminder: its record, the pending items of its channel.
-- ARGV: for each reminder: the pending item, the name of the channel's work.
--- @include "../core/include/exact-clock"
for i = 1, #ARGV, 2 do
  local prompt, pending = KEYS[i + 1], KEYS[i + 2]
  if redis.call('EXISTS', prompt) == 1 then
    local due = tonumber(redis.call('ZSCORE', pending, ARGV[i]) or '')
    if due and due <= now then
      redis.call('ZINCRBY', pending, '0.001', ARGV[i])
    else
      redis.call('ZADD', pending, now, ARGV[i])
    end
    redis.call('ZADD', KEYS[1], 'LT', now, ARGV[i + 1])
  end
end
return 1
