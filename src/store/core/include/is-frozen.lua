-- Returns 1 if a workspace is read-only, or is being imported and not yet there.
local function isFrozen(head, progress)
  local found = redis.call('HMGET', head, 'sequence', 'frozen')
  if found[2] then return 1 end
  return found[1] and 0 or redis.call('EXISTS', progress)
end
