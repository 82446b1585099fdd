-- The keys and arguments of the claim script, in the order in which claim-codec.ts writes them: those of the
-- workspace, then for each webhook its own and those of its results.
local lease, keptFor, recordPrefix, requestCount =
  tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3], tonumber(ARGV[4])
local keyAt, argAt = 3, 4

-- Returns the keys of the next webhook and its request.
local function nextRequest()
  local k = {ready = KEYS[1], events = KEYS[2], head = KEYS[3], repaired = 0}
  k.pending, k.inflight, k.replays, k.replaying, k.tries, k.state, k.waiting, k.heads, k.replayed, k.starts,
    k.health, k.excerpts, k.subscription, k.headers, k.secret, k.earlier, k.earliest =
    unpack(KEYS, keyAt + 1, keyAt + 17)
  local webhook, concurrency, atMost, withEvents, held, sureUntil, results =
    unpack(ARGV, argAt + 1, argAt + 7)
  k.webhook = webhook
  local request = {
    concurrency = tonumber(concurrency), atMost = tonumber(atMost), withEvents = withEvents ~= '',
    held = tonumber(held), sureUntil = tonumber(sureUntil), results = tonumber(results),
    keyAt = keyAt + 17, argAt = argAt + 7,
  }
  -- Each result has 2 keys and 13 arguments.
  keyAt, argAt = request.keyAt + 2 * request.results, request.argAt + 13 * request.results
  return k, request
end

-- Returns the keys of result `i`: its delivery and its block.
local function resultKeys(request, i)
  return KEYS[request.keyAt + 2 * i - 1], KEYS[request.keyAt + 2 * i]
end

-- Returns the fields of result `i`: delivery, attempt, outcome, delay, attempted, said, claimedAt, charged,
-- counted, slow, bucket, errorName, status.
local function resultFields(request, i)
  return unpack(ARGV, request.argAt + 13 * i - 12, request.argAt + 13 * i)
end
