#!lua flags=allow-oom
-- Looks up a code that a person has typed, and counts a wrong one. After too many, all codes are refused.
-- KEYS: the code, the wrong codes of the person, those of the workspace.
-- ARGV: the time (ms) for which they count, the most of the person, the most of the workspace.
-- Returns `found` with the hash of the device code, `wrong`, or `limited` with the time (ms) to wait.
for i = 2, 3 do
  if tonumber(redis.call('GET', KEYS[i]) or 0) >= tonumber(ARGV[i]) then
    return {'limited', math.max(1, redis.call('PTTL', KEYS[i]))}
  end
end
local login = redis.call('GET', KEYS[1])
if login then return {'found', login} end
for i = 2, 3 do
  if redis.call('INCR', KEYS[i]) == 1 then redis.call('PEXPIRE', KEYS[i], ARGV[1]) end
end
return {'wrong', ''}
