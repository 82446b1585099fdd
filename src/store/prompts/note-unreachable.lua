#!lua flags=allow-oom
-- Records that a reminder of a run did not reach a member.
-- KEYS: the members that reminders of the run did not reach.
-- ARGV: the id suffix of the member, Slack's reason, the lifetime (s).
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
return redis.call('EXPIRE', KEYS[1], ARGV[3])
