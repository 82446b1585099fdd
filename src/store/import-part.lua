#!lua
-- Writes a part of a key of an imported workspace. It may be repeated, also together with the parts
-- before it.
-- KEYS: the key, the workspace's head.
-- ARGV: the type, the number of members before this part, the instant at which the key expires (ms) or '',
-- then three texts (with the last part of a stream: its last id, the number of entries ever added, its
-- greatest deleted id), then the members.
-- Returns 1, or 0 if the workspace exists already.
if redis.call('EXISTS', KEYS[2]) == 1 then return 0 end
local key, kind, before, expiry = KEYS[1], ARGV[1], tonumber(ARGV[2]), ARGV[3]
if before == 0 then redis.call('DEL', key) end
if kind == 'stream' then
  local last = redis.call('XREVRANGE', key, '+', '-', 'COUNT', 1)[1]
  local written = last and tonumber(string.match(last[1], '^%d+')) or -1
  for i = 7, #ARGV, 2 do
    if tonumber(string.match(ARGV[i], '^%d+')) > written then
      redis.call('XADD', key, ARGV[i], unpack(cjson.decode(ARGV[i + 1])))
    end
  end
  if ARGV[4] ~= '' then
    -- An empty stream exists only if an entry was added before.
    if redis.call('EXISTS', key) == 0 then
      redis.call('XADD', key, '0-1', 'a', 'a')
      redis.call('XDEL', key, '0-1')
    end
    redis.call('XSETID', key, ARGV[4], 'ENTRIESADDED', ARGV[5], 'MAXDELETEDID', ARGV[6])
  end
elseif kind == 'string' then
  redis.call('SET', key, ARGV[7])
elseif kind == 'zset' then
  for i = 7, #ARGV, 2 do redis.call('ZADD', key, ARGV[i + 1], ARGV[i]) end
elseif kind == 'list' then
  -- A part that was written already is written again.
  if before > 0 then redis.call('LTRIM', key, 0, before - 1) end
  redis.call('RPUSH', key, unpack(ARGV, 7))
else
  redis.call(kind == 'hash' and 'HSET' or 'SADD', key, unpack(ARGV, 7))
end
if expiry ~= '' then redis.call('PEXPIREAT', key, expiry) end
return 1
