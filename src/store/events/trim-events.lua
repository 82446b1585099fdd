#!lua flags=allow-oom
-- Shortens the log, but never past the position of the reader that is furthest behind. If entries were
-- deleted by age alone, that reader would miss events.
local time = redis.call('TIME')
local head = redis.call('HGETALL', KEYS[1])
local limit
for i = 1, #head, 2 do
  if head[i] == 'sequence' or string.find(head[i], 'cursor:', 1, true) == 1 then
    limit = math.min(limit or tonumber(head[i + 1]), tonumber(head[i + 1]))
  end
end
if not limit then return 0 end
local trimmed = 0
while true do
  local entries = redis.call('XRANGE', KEYS[2], '-', '+', 'COUNT', 100)
  local keep
  for _, entry in ipairs(entries) do
    local sequence = tonumber(string.match(entry[1], '^%d+'))
    if sequence >= limit or (tonumber(entry[2][2]) or 0) >= (time[1] - ARGV[1]) * 1000 then
      keep = sequence
      break
    end
    keep = sequence + 1
  end
  local gone = keep and redis.call('XTRIM', KEYS[2], 'MINID', string.format('%.0f-0', keep)) or 0
  trimmed = trimmed + gone
  if gone < 100 or trimmed >= 5000 then return trimmed end
end
