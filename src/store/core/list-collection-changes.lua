#!lua flags=no-writes
-- Returns the changes of a collection since a version, and its new version. There are no rows if the changes
-- are unknown: there were too many, or the list was lost.
-- KEYS: the workspace's head, the recorded changes, the list of the collection's resources.
-- ARGV: the name of the collection, the known version, the prefix of record keys (in the same cluster slot).
local version = redis.call('HGET', KEYS[1], 'version:' .. ARGV[1]) or ''
local at, changed, rows = version, {}, {}
for _, change in ipairs(at == ARGV[2] and {} or redis.call('LRANGE', KEYS[2], 0, -1)) do
  local before, after, suffix = string.match(change, '^(%S*) (%S+) (%S+)$')
  if at == ARGV[2] or at ~= after then break end
  at, changed[suffix] = before, true
end
if at ~= ARGV[2] then return {version} end
for suffix in pairs(changed) do
  rows[#rows + 1] = {suffix, redis.call('ZSCORE', KEYS[3], suffix), redis.call('GET', ARGV[3] .. suffix)}
end
return {version, rows}
