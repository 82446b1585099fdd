#!lua flags=allow-oom
-- Denies a login, or begins to approve it: the first person fixes the id of the token. A repeat by the same
-- person changes nothing, so that an approval can be completed after a crash.
-- KEYS: the login, the waiting logins.
-- ARGV: the person, the id suffix of the token (empty: to deny), the lifetime of a login (ms), the time (ms)
-- that an approval has, the hash of the device code.
-- Returns the state, with the person and the id suffix; `gone` for an expired login.
--- @include "../core/include/clock"
local at, state, by, suffix = unpack(redis.call('HMGET', KEYS[1], 'at', 'state', 'by', 'suffix'))
if not at then return {'gone', '', ''} end
if state == 'pending' then
  if now - at >= tonumber(ARGV[3]) then return {'gone', '', ''} end
  by, suffix = ARGV[1], ARGV[2]
  state = suffix == '' and 'denied' or 'approving'
  redis.call('HSET', KEYS[1], 'state', state, 'by', by, 'suffix', suffix)
  redis.call('ZREM', KEYS[2], ARGV[5])
  if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[4]) then redis.call('PEXPIRE', KEYS[1], ARGV[4]) end
end
return {state, by, suffix}
