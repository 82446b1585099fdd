-- Adds a run to the message that reminds a person. If the event log is not read for Slack, no process would
-- send a message in Slack, so only the person's open tabs show the reminder.
--- @keys prompt, pending, ready, promptsOfRun, kept...
--- @args item, work, user, runField, closesAt, notBefore, name, countField, moment
--- @const eventLifetime, remindWork, browserRecipient
--- @include "../../prompts/include/forget-message"
--- @include "../include/make-prompt-due"
local isServed = head[2] or work == remindWork
local recipient = isServed and user or browserRecipient
local fields = redis.call('HMGET', prompt, 'user', 'at', countField, 'ts', 'sending', 'failures', 'failed')
if fields[1] and fields[1] ~= recipient then forgetMessage(prompt) end
-- At least one of these fields exists once sending has begun. Until then, further reminders are not
-- counted, because the person has seen none.
local wasTried = fields[4] or fields[5] or fields[6] or fields[7]
if moment ~= 'opening' and (not fields[3] or (wasTried and tonumber(fields[2]) ~= now)) then
  redis.pcall('HINCRBY', prompt, countField, 1)
end
redis.call('HSETNX', prompt, 'why:' .. moment, now)
redis.call('HSET', prompt, 'user', recipient, runField, closesAt, 'before', notBefore, 'at', now)
redis.call('HDEL', prompt, 'failures', 'failed')
redis.call('EXPIRE', prompt, eventLifetime)
redis.call('SADD', promptsOfRun, name)
redis.call('EXPIRE', promptsOfRun, eventLifetime)
if recipient ~= browserRecipient then
  for _, keptOfUser in ipairs(kept) do
    redis.call('SADD', keptOfUser, item)
    redis.call('EXPIRE', keptOfUser, eventLifetime)
  end
  makePromptDue(pending, ready, item, work, math.max(now, tonumber(notBefore)))
end
