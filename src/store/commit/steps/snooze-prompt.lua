-- Postpones a reminder. If the event log is not read for Slack, no process would send a message in Slack, so
-- nothing is written.
--- @keys prompt, pending, ready
--- @args item, work, snoozedUntil
--- @const remindWork
--- @include "../include/make-prompt-due"
if (head[2] or work == remindWork) and redis.call('HEXISTS', prompt, 'user') == 1 then
  redis.call('HSET', prompt, 'snoozed', snoozedUntil)
  makePromptDue(pending, ready, item, work, now)
end
