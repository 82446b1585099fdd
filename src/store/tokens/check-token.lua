-- Checks whether a token is valid. It has no `#!lua` line, because Redis would then refuse the whole script
-- on a full or read-only store.
-- KEYS: the token, the workspace's head.
-- Returns a status code and the time.
--- @const committed, storeLost, tokenDead
--- @include "../core/include/clock"
-- A workspace that is being removed has lost this field first.
if redis.call('HEXISTS', KEYS[2], 'sequence') == 0 then return {storeLost, now, ''} end
if redis.call('EXISTS', KEYS[1]) == 0 then return {tokenDead, now, ''} end
return {committed, now}
