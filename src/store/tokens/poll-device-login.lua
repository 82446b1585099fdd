#!lua flags=allow-oom
-- Reads the state of a login for its program. The first answer with the token begins the time for repeats.
-- KEYS: the login.
-- ARGV: the lifetime of a login, the least pause between questions, the time for repeats (ms).
-- Returns the state, with the person, the token and the signing key; `early`, or `gone`.
--- @include "../core/include/clock"
local at, state, polled, given, by, token, kid =
  unpack(redis.call('HMGET', KEYS[1], 'at', 'state', 'polled', 'given', 'by', 'token', 'kid'))
if not at then return {'gone', '', '', ''} end
if state == 'denied' then return {'denied', '', '', ''} end
if state == 'approved' then
  if given and now - given >= tonumber(ARGV[3]) then return {'gone', '', '', ''} end
  if not given then
    redis.call('HSET', KEYS[1], 'given', now)
    redis.call('PEXPIRE', KEYS[1], ARGV[3])
  end
  return {'approved', by, token, kid}
end
if state == 'pending' and now - at >= tonumber(ARGV[1]) then return {'gone', '', '', ''} end
redis.call('HSET', KEYS[1], 'polled', now)
-- A question from the future was asked before the clock was set back.
local isEarly = polled and now - polled < tonumber(ARGV[2]) and now >= tonumber(polled)
return {isEarly and 'early' or 'pending', '', '', ''}
