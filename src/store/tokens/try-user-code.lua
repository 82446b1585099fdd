#!lua flags=allow-oom
-- Looks up a code that a person has typed, and counts a wrong one. After too many, all codes are refused.
-- KEYS: the code, the wrong codes of the person. ARGV: the most of them, the time (ms) for which they count.
-- Returns `found` with the hash of the device code, `wrong`, or `limited` with the time (ms) to wait.
if tonumber(redis.call('GET', KEYS[2]) or 0) >= tonumber(ARGV[1]) then
  return {'limited', math.max(1, redis.call('PTTL', KEYS[2]))}
end
local login = redis.call('GET', KEYS[1])
if login then return {'found', login} end
if redis.call('INCR', KEYS[2]) == 1 then redis.call('PEXPIRE', KEYS[2], ARGV[2]) end
return {'wrong', ''}
