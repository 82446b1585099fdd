#!lua
-- Writes a part of a key of an imported workspace. It may be repeated, also together with the parts
-- before it.
-- KEYS: the key, the progress of the import.
-- ARGV: the process that imports, the type, the number of members before this part, the instant at which
-- the key expires (ms) or '', then three texts (with the last part of a stream: its last id, the number of
-- entries ever added, its greatest deleted id), then the members.
-- Returns 1, or 0 if another process imports now, or has imported the workspace.
if redis.call('HGET', KEYS[2], 'importer') ~= ARGV[1] then return 0 end
local key, kind, before, expiry = KEYS[1], ARGV[2], tonumber(ARGV[3]), ARGV[4]
if before == 0 then redis.call('DEL', key) end
if kind == 'stream' then
  local last = redis.call('XREVRANGE', key, '+', '-', 'COUNT', 1)[1]
  local written = last and tonumber(string.match(last[1], '^%d+')) or -1
  for i = 8, #ARGV, 2 do
    if tonumber(string.match(ARGV[i], '^%d+')) > written then
      redis.call('XADD', key, ARGV[i], unpack(cjson.decode(ARGV[i + 1])))
    end
  end
  if ARGV[5] ~= '' then
    -- An empty stream exists only if an entry was added before.
    if redis.call('EXISTS', key) == 0 then
      redis.call('XADD', key, '0-1', 'a', 'a')
      redis.call('XDEL', key, '0-1')
    end
    redis.call('XSETID', key, ARGV[5], 'ENTRIESADDED', ARGV[6], 'MAXDELETEDID', ARGV[7])
  end
elseif kind == 'string' then
  redis.call('SET', key, ARGV[8])
elseif kind == 'zset' then
  for i = 8, #ARGV, 2 do redis.call('ZADD', key, ARGV[i + 1], ARGV[i]) end
elseif kind == 'list' then
  -- A part that was written already is written again.
  if before > 0 then redis.call('LTRIM', key, 0, before - 1) end
  redis.call('RPUSH', key, unpack(ARGV, 8))
else
  redis.call(kind == 'hash' and 'HSET' or 'SADD', key, unpack(ARGV, 8))
end
if expiry ~= '' then redis.call('PEXPIREAT', key, expiry) end
return 1
