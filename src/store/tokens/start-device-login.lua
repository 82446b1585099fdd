#!lua
-- Starts the sign-in of a program, which waits for a person.
-- KEYS: the login, its code for people, the waiting logins.
-- ARGV: what it asks for (encrypted), its lifetime (ms), the most that may wait, the hash of its device code.
-- Returns 0; -1 if another login has the code; or the time (ms) until one of too many logins ends.
--- @include "../core/include/clock"
redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', now)
if redis.call('ZCARD', KEYS[3]) >= tonumber(ARGV[3]) then
  local first = redis.call('ZRANGE', KEYS[3], 0, 0, 'WITHSCORES')
  return math.max(1, tonumber(first[2]) - now)
end
if redis.call('EXISTS', KEYS[2]) == 1 then return -1 end
redis.call('HSET', KEYS[1], 'asked', ARGV[1], 'at', now, 'state', 'pending')
redis.call('PEXPIRE', KEYS[1], ARGV[2])
redis.call('SET', KEYS[2], ARGV[4], 'PX', ARGV[2])
redis.call('ZADD', KEYS[3], now + ARGV[2], ARGV[4])
redis.call('PEXPIRE', KEYS[3], ARGV[2])
return 0
