-- Checks that the idempotency key is new. A repeat gets its stored answer.
--- @const kept
nth = nth + 1
local keptKey = conditions[nth]
if asked[nth] then return {kept, now, quota, asked[nth]} end
