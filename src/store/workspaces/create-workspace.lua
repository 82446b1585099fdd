#!lua
-- Creates the head of a workspace. If a process serves Slack, Slack becomes a reader of the log from the
-- first event on. Otherwise it does not, because no process would do the work for Slack.
-- KEYS: the head, the workspace's record.
-- ARGV: the workspace, and 1 if a process serves Slack.
if redis.call('EXISTS', KEYS[1]) == 0 then
  redis.call('HSET', KEYS[1], 'sequence', '0', 'cursor:webhooks', '0')
  if ARGV[2] == '1' then redis.call('HSET', KEYS[1], 'cursor:slack', '0') end
  redis.call('SET', KEYS[2], ARGV[1])
end
return redis.call('GET', KEYS[2])
