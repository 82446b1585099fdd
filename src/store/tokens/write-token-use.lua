#!lua flags=allow-oom
-- Writes later last uses, only of valid tokens: a late write would leave data of revoked ones forever.
-- KEYS: the last uses, the workspace's head, then each token.
-- ARGV: for each token: its id suffix, the minute.
if redis.call('HEXISTS', KEYS[2], 'frozen') == 1 then return end
for i = 3, #KEYS do
  local token, minute = ARGV[2 * i - 5], ARGV[2 * i - 4]
  if redis.call('EXISTS', KEYS[i]) == 1 then
    local known = redis.call('HGET', KEYS[1], token)
    if not known or tonumber(known) < tonumber(minute) then redis.call('HSET', KEYS[1], token, minute) end
  end
end
