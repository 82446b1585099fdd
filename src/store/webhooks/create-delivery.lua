#!lua flags=allow-oom
-- Creates one delivery, but not for a deleted webhook, and not in a read-only workspace.
-- KEYS (core/keys.ts explains them): the webhook's record, the workspace's ready, the webhook's list of
-- deliveries, pending, tries, state, waiting, heads, then the delivery, its block, and the
-- workspace's head.
-- ARGV: the event number, the id suffixes of the webhook and of the delivery, the lifetime (s).
if redis.call('EXISTS', KEYS[1]) == 0 or redis.call('HEXISTS', KEYS[11], 'frozen') == 1 then return 0 end
--- @include "include/enqueue"
--- @include "include/count-free-slots"
--- @include "include/create-delivery"
--- @include "include/webhook-keys"
--- @include "../core/include/clock"
local k = webhook(3, ARGV[2])
-- If too many deliveries wait, this one is created later, with those of the other events in the log.
if countFreeSlots(k) < 1 then return 0 end
lookUp(k, {ARGV[3], KEYS[10]})
make(k, KEYS[9], KEYS[10], ARGV[3], ARGV[1], '', ARGV[4], now)
keepMade(k)
return 1
