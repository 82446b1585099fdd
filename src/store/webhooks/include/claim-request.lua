-- The keys and arguments of the claim script, in the order in which claim-codec.ts writes them.
local k = {
  pending = KEYS[1], inflight = KEYS[2], replays = KEYS[3], replaying = KEYS[4], tries = KEYS[5],
  state = KEYS[6], ready = KEYS[7], waiting = KEYS[8], heads = KEYS[9], replayed = KEYS[10],
  starts = KEYS[11], health = KEYS[12], excerpts = KEYS[13], subscription = KEYS[14], headers = KEYS[15],
  secret = KEYS[16], earlier = KEYS[17], earliest = KEYS[18], events = KEYS[19],
  head = KEYS[20],
}
local request = {
  webhook = ARGV[1], concurrency = tonumber(ARGV[2]), lease = tonumber(ARGV[3]), keptFor = tonumber(ARGV[4]),
  atMost = tonumber(ARGV[5]), recordPrefix = ARGV[6] ~= '' and ARGV[6], held = tonumber(ARGV[7]),
  sureUntil = tonumber(ARGV[8]),
}
-- Each result has 2 keys after these 20, and 13 arguments after these 8.
local resultCount = (#ARGV - 8) / 13

-- Returns the keys of result `i`: its delivery and its block.
local function resultKeys(i) return KEYS[19 + 2 * i], KEYS[20 + 2 * i] end

-- Returns the fields of result `i`: delivery, attempt, outcome, delay, attempted, said, claimedAt, charged,
-- counted, slow, bucket, errorName, status.
local function resultFields(i) return unpack(ARGV, 13 * i - 4, 13 * i + 8) end
