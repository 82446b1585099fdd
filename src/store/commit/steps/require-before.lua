--- @args instant
--- @const stale
if now >= tonumber(instant) then return {stale, now, quota} end
