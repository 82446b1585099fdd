#!lua flags=allow-oom
-- Updates entries of the index, unless they have changed since they were read.
-- KEYS: the index.
-- ARGV: for each workspace its id, the score that was read, and the new score (empty to remove the entry).
for i = 1, #ARGV, 3 do
  if (redis.call('ZSCORE', KEYS[1], ARGV[i]) or '') == ARGV[i + 1] then
    if ARGV[i + 2] == '' then redis.call('ZREM', KEYS[1], ARGV[i])
    else redis.call('ZADD', KEYS[1], ARGV[i + 2], ARGV[i]) end
  end
end
