-- Takes a request from a quota, as domain/core/quota.ts does in TypeScript.

-- Counts a request. If more than the whole quota is used, the clock has been set back.
local function countRequest(due, at, step, span)
  if step == 0 then return due, false end
  if due < at or due - at > span then due = at end
  due = due + step
  return due, due - at > span
end

-- Returns the new state, and whether too little was left. `kept`: the stored state before the request.
-- `step` and `span` are the numbers of the limit for all requests, the last two those for writes; see
-- `createQuotaArgs`. The state is not written to the append-only file or to replicas: losing a minute's
-- count is better than a disk write for each read. On a full or read-only store the returned state is
-- empty, so that reads still work and each process counts alone.
local function takeQuota(key, kept, now, step, span, writeStep, writeSpan)
  local at, all, writes = now * 1000, 0, 0
  if kept then
    all, writes = string.match(kept, '^(%d+) (%d+)$')
    all, writes = tonumber(all or 0), tonumber(writes or 0)
  end
  local dueAll, isOver = countRequest(all, at, tonumber(step), tonumber(span))
  local dueWrites, isOverWrites = countRequest(writes, at, tonumber(writeStep), tonumber(writeSpan))
  local over = isOver or isOverWrites
  local quota = string.format('%d %d', over and all or dueAll, over and writes or dueWrites)
  local left = math.ceil((math.max(dueAll, dueWrites) - at) / 1000)
  if not over and left > 0 then
    redis.set_repl(redis.REPL_NONE)
    local written = redis.pcall('SET', key, quota, 'PX', left)
    redis.set_repl(redis.REPL_ALL)
    if written.err then quota = '' end
  end
  return quota, over
end
