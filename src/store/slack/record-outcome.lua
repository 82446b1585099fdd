#!lua flags=allow-oom
-- Records the result of the work on an item.
-- KEYS: the lease of the channel, the record of the item, the pending items, the due Slack work, the record
-- of the day's message, the limit of the method, the channel's delivery problem, the record of the weekly
-- summary, the list of everything stored for the Slack user, what is known of the message.
-- ARGV: one JSON object (see `recordOutcome` in slack-work.ts).
-- Returns 1, or 0 when another worker has the channel. Content in Slack that this worker may have
-- overwritten is then updated again.
local op = cjson.decode(ARGV[1])
local lease, state, pending, ready, day, throttle = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local trouble = KEYS[7]
--- @include "../core/include/exact-clock"
--- @include "include/request-again"
--- @include "include/rate-limit"
local held = redis.call('GET', lease) == op.holder
local applies = held
if op.token then applies = redis.call('HGET', state, 'sending') == op.token end
if not applies then
  if not op.token and redis.call('HEXISTS', state, 'ts') == 1 then
    redis.call('HDEL', state, 'shown')
    for _, field in ipairs(redis.call('HKEYS', state)) do
      if field == 'posted' or string.sub(field, 1, 7) == 'posted:' then
        redis.call('HSET', state, field, '0')
      end
    end
    redis.call('ZADD', pending, now, op.member)
    redis.call('ZADD', ready, 'LT', now, op.work)
  end
  return 0
end
-- An item that was given up is only retried if a person asks for it.
local function endTrouble()
  redis.call('HSET', trouble, 'state', 'done')
  for _, field in ipairs(redis.call('HKEYS', trouble)) do
    if string.sub(field, 1, 5) == 'lost:' then redis.call('HSET', trouble, 'state', 'open') end
  end
end
if op.success and redis.call('HGET', trouble, 'state') == 'open'
  and redis.call('HDEL', trouble, 'code', 'retried') > 0 then
  local held = 0
  for _, member in ipairs(redis.call('ZRANGE', pending, 0, -1)) do
    if not string.find(member, '/', 1, true) or string.sub(member, 1, 7) == 'digest/' then
      redis.call('HSET', trouble, 'held:' .. member, '1')
      held = held + 1
    end
  end
  redis.call('HSET', trouble, 'state', 'solving', 'held', held, 'shown', '0', 'reports', '0')
  if held == 0 then endTrouble() end
  redis.call('ZADD', pending, now + 1000, 'trouble/')
end
local score = tonumber(redis.call('ZSCORE', pending, op.member) or '')
-- A failure is no answer to a request that came during the work: the item is due at once, with no failures.
local askedAgain = op.asked and score and score ~= tonumber(op.asked)
if askedAgain then
  op.set.failures, op.set.failed = nil, nil
  if redis.call('HDEL', trouble, 'lost:' .. op.member) == 1 then
    redis.call('HSET', trouble, 'retried', '1')
  end
end
for _, field in ipairs(op.clear) do redis.call('HDEL', state, field) end
for field, value in pairs(op.set) do redis.call('HSET', state, field, value) end
if redis.call('EXISTS', state) == 1 then redis.call('EXPIRE', state, op.lifetime) end
redis.call('EXPIRE', KEYS[9], op.lifetime)
if op.delay and not askedAgain then
  redis.call('ZADD', pending, now + op.delay, op.member)
elseif op.throttled then
  -- Items that wait for the same instant keep their order.
  local free = endOfLimit(throttle, now)
  redis.call('ZADD', pending, free + redis.call('ZCOUNT', pending, free, free + 100) / 1000, op.member)
elseif op.more then
  redis.call('ZADD', pending, 'NX', now, op.member)
elseif op.want and redis.call('HGET', state, 'want') ~= op.want then
  redis.call('ZADD', pending, now, op.member)
elseif score ~= tonumber(op.asked or '') then
  -- An item that was requested again stays due.
elseif op.at then
  -- A process whose clock is behind the store's may consider a due item early.
  redis.call('ZADD', pending, math.max(op.at, now + 1), op.member)
else
  redis.call('ZREM', pending, op.member)
  -- The mark that is left is not that of a call in progress (see resume-channel.lua).
  if redis.call('HEXISTS', trouble, 'lost:' .. op.member) == 1 then
    redis.call('HSET', trouble, 'lost:' .. op.member, redis.call('HGET', state, 'sending') or '')
  end
  if op.forget then
    redis.call('DEL', state)
    redis.call('SREM', KEYS[9], op.member)
  end
  if redis.call('HDEL', trouble, 'held:' .. op.member) == 1 then
    if op.success then
      redis.pcall('HINCRBY', trouble, string.sub(op.member, 1, 7) == 'digest/' and 'reports' or 'shown', 1)
    end
    local isLast = redis.pcall('HINCRBY', trouble, 'held', -1) == 0
    if isLast and redis.call('HGET', trouble, 'state') == 'solving' then
      endTrouble()
      redis.call('ZADD', pending, now, 'trouble/')
    end
  end
end
if op.pause and held and not askedAgain then redis.call('SET', lease, 'paused', 'PX', op.pause) end
if op.links and redis.call('HGET', KEYS[8], 'channel') == op.links.channel then
  requestAgain(pending, now + op.links.delay, op.links.member)
end
if op.root then redis.call('SET', KEYS[10], op.root.known, 'EX', op.root.lifetime) end
if op.day then
  if op.day.names then redis.call('HSET', day, 'names', '1') end
  if op.day.shows then
    redis.call('HSET', day, op.day.field, op.day.author)
  else
    redis.call('HDEL', day, op.day.field)
  end
  if redis.call('EXISTS', day) == 1 then redis.call('EXPIRE', day, op.day.lifetime) end
  requestAgain(pending, now + op.day.delay, op.day.member)
end
return 1
