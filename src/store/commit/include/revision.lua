--- @const revisionTail
local function revision(key)
  local tail = redis.call('GETRANGE', key, -revisionTail, -1)
  return string.match(tail, '"revision":(%d+),"created_at":"[^"]+","updated_at":"[^"]+"}$')
end
