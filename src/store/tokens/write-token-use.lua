#!lua flags=allow-oom
-- Writes later last uses, only of valid tokens: a late write would leave data of revoked ones forever.
for i = 2, #KEYS do
  local token, minute = ARGV[2 * i - 3], ARGV[2 * i - 2]
  if redis.call('EXISTS', KEYS[i]) == 1 then
    local known = redis.call('HGET', KEYS[1], token)
    if not known or tonumber(known) < tonumber(minute) then redis.call('HSET', KEYS[1], token, minute) end
  end
end
