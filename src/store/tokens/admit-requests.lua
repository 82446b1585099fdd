-- Checks whether a token is valid, and takes several simultaneous requests from a quota one after the other,
-- until one is refused. It has no `#!lua` line, because Redis would then refuse the whole script on a full or
-- read-only store. It writes nothing but the count, and its reads also work if the count cannot be written.
-- KEYS: the token, the workspace's head, the quota.
-- ARGV: the costs of a request (see `createQuotaArgs`), the number of requests.
-- Returns a status code, the time, and the quota's state after each accepted request. If a request was
-- refused, the last state belongs to that request.
--- @const committed, overQuota, storeLost, tokenDead
--- @include "../core/include/clock"
--- @include "../core/include/take-quota"
-- A workspace that is being removed has lost this field first.
if redis.call('HEXISTS', KEYS[2], 'sequence') == 0 then return {storeLost, now, ''} end
if redis.call('EXISTS', KEYS[1]) == 0 then return {tokenDead, now, ''} end
local reply = {committed, now}
for _ = 1, tonumber(ARGV[5]) do
  local kept = redis.call('GET', KEYS[3])
  local quota, over = takeQuota(KEYS[3], kept, now, ARGV[1], ARGV[2], ARGV[3], ARGV[4])
  reply[#reply + 1] = quota
  if over then
    reply[1] = overQuota
    break
  end
end
return reply
