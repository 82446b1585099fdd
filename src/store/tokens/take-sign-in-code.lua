#!lua flags=allow-oom
-- Compares a code with the one that was asked for, and counts a wrong one. Only one caller takes a code.
-- KEYS: the code. ARGV: the hash of the tried code, the lifetime of a code (ms).
-- Returns `taken` with the time (ms) at which the code was asked for, `wrong` with the tries left, or `gone`.
--- @include "../core/include/clock"
local code, since, left = unpack(redis.call('HMGET', KEYS[1], 'code', 'at', 'left'))
if not code or now - since >= tonumber(ARGV[2]) then return {'gone', 0} end
if tonumber(left) <= 0 then return {'wrong', 0} end
if code == ARGV[1] then
  redis.call('DEL', KEYS[1])
  return {'taken', tonumber(since)}
end
return {'wrong', redis.call('HINCRBY', KEYS[1], 'left', -1)}
