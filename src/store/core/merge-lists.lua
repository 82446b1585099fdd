#!lua flags=no-writes
-- Reads a page of several sorted sets as if they were one.
-- KEYS: the sets. An entry has the same score in each set that has it.
-- ARGV: the arguments of ZRANGE, which end with LIMIT, 0, the largest number of entries, and WITHSCORES.
-- Returns entries and scores, as ZRANGE does.
local most = tonumber(ARGV[#ARGV - 1])
local sign = ARGV[4] == 'REV' and -1 or 1
-- Each set is read in parts, because a page seldom needs more than its share of a set.
local share = math.min(most, math.ceil(2 * most / #KEYS))
local range = {unpack(ARGV)}
range[#range - 1] = share
local parts, at, passed, scores = {}, {}, {}, {}

-- Goes to the next entry of a set. The score of its end is infinite.
local function advance(i)
  at[i] = at[i] + 2
  if at[i] > 2 * share then
    passed[i] = passed[i] + share
    range[#range - 2] = passed[i]
    parts[i], at[i] = redis.call('ZRANGE', KEYS[i], unpack(range)), 1
  end
  local score = tonumber(parts[i][at[i] + 1])
  scores[i] = score and sign * score or math.huge
end

for i = 1, #KEYS do
  at[i], passed[i] = 2 * share, -share
  advance(i)
end
local merged = {}
while #merged < 2 * most do
  local first = 1
  for i = 2, #scores do
    if scores[i] < scores[first] then first = i end
  end
  if scores[first] == math.huge then break end
  merged[#merged + 1] = parts[first][at[first]]
  merged[#merged + 1] = parts[first][at[first] + 1]
  advance(first)
end
return merged
