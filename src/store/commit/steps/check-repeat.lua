-- Checks that the idempotency key is new. A repeat gets its stored answer. `confirms`: 1 if replicas confirm
-- commits. Then a repeat writes the head again as it is: see write-again.lua.
--- @fixed confirms
--- @const kept
nth = nth + 1
local keptKey = conditions[nth]
if asked[nth] then
  if confirms == 1 then redis.call('HSET', headKey, 'sequence', sequence) end
  return {kept, now, quota, asked[nth]}
end
