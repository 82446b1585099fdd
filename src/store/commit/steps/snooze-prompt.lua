-- Postpones a reminder. Nothing is due if nothing sends it: if only open tabs show it, or if the event log is
-- not read for Slack.
--- @keys prompt, pending, ready
--- @args item, work, snoozedUntil
--- @const remindWork, browserRecipient
--- @include "../include/make-prompt-due"
local recipient = redis.call('HGET', prompt, 'user')
if recipient then
  redis.call('HSET', prompt, 'snoozed', snoozedUntil)
  if recipient ~= browserRecipient and (head[2] or work == remindWork) then
    makePromptDue(pending, ready, item, work, now)
  end
end
