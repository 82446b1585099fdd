#!lua flags=allow-oom
-- Makes reminders due.
-- KEYS: for each reminder: its record, the pending items of its recipient, the due work.
-- ARGV: for each reminder: the pending item, the name of the work of its recipient.
--- @include "../core/include/exact-clock"
for i = 1, #ARGV, 2 do
  local at = (i - 1) / 2 * 3
  local prompt, pending, ready = KEYS[at + 1], KEYS[at + 2], KEYS[at + 3]
  if redis.call('EXISTS', prompt) == 1 then
    local due = tonumber(redis.call('ZSCORE', pending, ARGV[i]) or '')
    if due and due <= now then
      redis.call('ZINCRBY', pending, '0.001', ARGV[i])
    else
      redis.call('ZADD', pending, now, ARGV[i])
    end
    redis.call('ZADD', ready, 'LT', now, ARGV[i + 1])
  end
end
return 1
