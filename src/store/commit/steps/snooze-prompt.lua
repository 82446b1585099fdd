-- Postpones a reminder. If the event log is not read for Slack, no process would send it, so nothing is
-- written.
--- @keys prompt, pending, ready
--- @args item, work, snoozedUntil
--- @include "../include/make-prompt-due"
if head[2] and redis.call('HEXISTS', prompt, 'user') == 1 then
  redis.call('HSET', prompt, 'snoozed', snoozedUntil)
  makePromptDue(pending, ready, item, work, now)
end
