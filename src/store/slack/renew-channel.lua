#!lua flags=allow-oom
-- Extends the lease of a channel.
-- KEYS: the lease, the due Slack work.
-- ARGV: the lease holder, the length of the lease (ms), the name of the channel's work.
-- Returns 1 if this worker still holds the lease.
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
--- @include "../core/include/exact-clock"
redis.call('PEXPIRE', KEYS[1], ARGV[2])
redis.call('ZADD', KEYS[2], 'XX', now + ARGV[2], ARGV[3])
return 1
