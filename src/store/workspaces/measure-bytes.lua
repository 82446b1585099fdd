#!lua flags=allow-oom,allow-cross-slot-keys
-- Measures the memory of some keys of one node.
-- ARGV: the cursor, the number of keys.
-- Returns the next cursor, then the workspaces with the bytes of their keys.
local found = redis.call('SCAN', ARGV[1], 'COUNT', ARGV[2])
local sums = {}
for _, key in ipairs(found[2]) do
  local workspace = string.match(key, '^{(ws_%w+)}:')
  if workspace then
    sums[workspace] = (sums[workspace] or 0) + (redis.call('MEMORY', 'USAGE', key) or 0)
  end
end
local answer = {found[1]}
for workspace, bytes in pairs(sums) do
  answer[#answer + 1] = workspace
  answer[#answer + 1] = bytes
end
return answer
