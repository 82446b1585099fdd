-- Checks whether a token is valid. It has no `#!lua` line, because Redis would then refuse the whole script
-- on a full or read-only store.
-- KEYS: the token, the workspace's head.
-- Returns a status code and the time.
--- @const committed, storeLost, tokenDead
--- @include "../core/include/clock"
if redis.call('EXISTS', KEYS[1]) == 0 then
  return {redis.call('EXISTS', KEYS[2]) == 1 and tokenDead or storeLost, now, ''}
end
return {committed, now}
