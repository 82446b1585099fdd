local function countErased(head, key)
  local used = redis.pcall('MEMORY', 'USAGE', key)
  if type(used) == 'number' then redis.call('HINCRBY', head, 'bytes', -used) end
end
