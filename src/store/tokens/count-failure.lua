-- Counts a failed authentication. It has no `#!lua` line, because Redis would then refuse the whole script on
-- a full or read-only store.
-- KEYS: the quota of the network address.
-- ARGV: the costs of a failure, see `createQuotaArgs`.
-- Returns a status code, the time, and the quota's state.
--- @const committed, overQuota
--- @include "../core/include/clock"
--- @include "../core/include/take-quota"
local kept = redis.call('GET', KEYS[1])
local quota, over = takeQuota(KEYS[1], kept, now, ARGV[1], ARGV[2], ARGV[3], ARGV[4])
return {over and overQuota or committed, now, quota}
