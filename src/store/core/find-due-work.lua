#!lua flags=no-writes
-- Finds due work of a workspace, in the order of due times.
-- KEYS: the workspace's due work, its head, the progress of its import.
-- ARGV: the most names to return. If more is due, each second returns another part of it.
-- Returns the time (ms), the due time of the first work, and names with their due times; if there are some,
-- also 1 for a workspace that is read-only.
--- @include "include/clock"
local limit = tonumber(ARGV[1])
local first = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')[2]
if not first or tonumber(first) > now then return {now, first or false, {}} end
local from = 0
local count = redis.call('ZCOUNT', KEYS[1], '-inf', now)
if count > limit then from = math.floor(now / 1000) % math.ceil(count / limit) * limit end
local due = redis.call('ZRANGE', KEYS[1], '-inf', now, 'BYSCORE', 'LIMIT', from, limit, 'WITHSCORES')
--- @include "include/is-frozen"
return {now, first, due, isFrozen(KEYS[2], KEYS[3])}
