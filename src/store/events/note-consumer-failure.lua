#!lua flags=allow-oom
-- Counts a reader's failure.
-- KEYS: the record of the reader's failure.
-- ARGV: the number of the event, the lifetime of the record (s). Stores `<number> <attempts> <since (ms)>`.
--- @include "include/rounded-clock"
local sequence, tries, since = string.match(redis.call('GET', KEYS[1]) or '', '^(%d+) (%d+) (%d+)$')
if sequence ~= ARGV[1] then tries, since = 0, now end
tries = tries + 1
redis.call('SET', KEYS[1], string.format('%s %d %.0f', ARGV[1], tries, tonumber(since)), 'EX', ARGV[2])
return {tries, now - since}
