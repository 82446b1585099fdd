-- Deletes the fields about the Slack message of a reminder that moves to another message.
local function forgetMessage(prompt)
  redis.call('HDEL', prompt, 'ts', 'sending', 'shown', 'failures', 'failed', 'snoozed', 'take', 'links',
    'channel', 'old', 'sent', 'why:opening', 'why:before_closing', 'why:asked')
end
