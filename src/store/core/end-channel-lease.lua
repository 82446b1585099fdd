#!lua flags=allow-oom
-- Ends the lease of a Slack channel, but not a pause that Slack wants.
-- KEYS: the due Slack work, the lease.
-- ARGV: the instant (ms) before which the lease would end, the name of the channel's work.
-- Returns 1 when the lease has ended.
local holder = redis.call('GET', KEYS[2])
if not holder or holder == 'paused' or redis.call('PEXPIRETIME', KEYS[2]) > tonumber(ARGV[1]) then
  return 0
end
redis.call('DEL', KEYS[2])
redis.call('ZADD', KEYS[1], 'LT', redis.call('TIME')[1] * 1000, ARGV[2])
return 1
