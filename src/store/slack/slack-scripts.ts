import {script} from '../core/connection.js';
import {isInLogFunction} from '../core/log-lua.js';

/*
 * The scripts for Slack channels. A channel has a list of pending items by due time, and one lease. Each
 * standup or parent message has its state in its own hash. The scripts decide by the time of Redis, so
 * several jobs may start for one channel and only one works.
 */

/** The longest lease that a worker takes on a channel (ms). */
const longestLeaseMs = 120_000;

/**
 * The Lua for the time in ms with fractions, so that standups from the same millisecond are shown in order.
 */
const clock = `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000`;

/**
 * The Lua for the time at which Slack accepts calls of a method again. The stored limit has that time and its
 * duration (ms).
 */
export const endOfLimit = `
local function endOfLimit(throttle, now)
  local ends, length = string.match(redis.call('GET', throttle) or '', '^(%d+) (%d+)$')
  -- A limit that would end impossibly late was noted before the clock was set back, so it is ignored.
  if not ends or tonumber(ends) - now > tonumber(length) + 1000 then return now end
  return math.max(now, tonumber(ends))
end
local function limitUntil(throttle, now, wait)
  redis.call('SET', throttle, string.format('%.0f %.0f', now + wait, wait), 'PX', math.ceil(wait))
end`;

/**
 * The Lua that requests a pending item again. The item keeps its position, but its score changes a little, so
 * that a process working on it sees the new request.
 */
const requestAgain = `
local function requestAgain(pending, due, item)
  if redis.call('ZADD', pending, 'NX', due, item) == 0 then redis.call('ZINCRBY', pending, '0.001', item) end
end`;

/**
 * The Lua that ends a script if another process was faster, or if the event is not the one in the log. KEYS:
 * the workspace's head, the event log. ARGV: the number, time (ms) and resource of the event.
 */
export const requireNext = `
${isInLogFunction}
if tonumber(redis.call('HGET', KEYS[1], 'cursor:slack') or '') ~= tonumber(ARGV[1]) - 1 then return 0 end
if not isInLog(KEYS[2], ARGV[1], ARGV[2], ARGV[3]) then return 0 end`.trim();

/**
 * The Lua that records update requests (see `packRefreshes` in slack-refreshes.ts). After the first `before`
 * KEYS, each request has two: the record of the item, and the pending items of its channel.
 */
const noteRefreshes = `
local function noteRefreshes(refreshes, before, ready)
  for i, refresh in ipairs(refreshes) do
    local record, pending = KEYS[before + 2 * i - 1], KEYS[before + 2 * i]
    if refresh.make then
      for field, value in pairs(refresh.make) do redis.call('HSETNX', record, field, value) end
      redis.call('EXPIRE', record, refresh.lifetime)
    end
    if redis.call('HEXISTS', record, refresh.sign) == 1 then
      redis.call('HDEL', record, 'failures')
      requestAgain(pending, now + refresh.delay, refresh.item)
      redis.call('ZADD', ready, 'LT', now + refresh.delay, refresh.work)
    end
  end
end`;

/**
 * Records update requests without moving the position in the log. KEYS: the due Slack work, then for each
 * request: the record of its item, the pending items of its channel. ARGV: the requests (JSON).
 */
export const refreshScript = script(`#!lua flags=allow-oom
${clock}
${requestAgain}
${noteRefreshes}
noteRefreshes(cjson.decode(ARGV[1]), 1, KEYS[1])
return 1`);

/**
 * Moves the position past one event, and records what its channel should show and which messages change.
 * KEYS: the workspace's head, the event log, the due Slack work, then for a standup to show: its message
 * record, the pending items of its channel, then for each request: the record of its item, the pending items
 * of its channel. ARGV: the number, time (ms) and resource of the event, the requests (JSON, see
 * `packRefreshes` in slack-refreshes.ts), then for the standup: its id suffix, the name of the channel's
 * work, the revision to show, the lifetime (s), the fields that say where it is shown. Returns 1, or 0 when
 * the log's position is another one.
 */
export const readScript = script(`#!lua flags=allow-oom
${requireNext}
${clock}
${requestAgain}
${noteRefreshes}
local refreshes = cjson.decode(ARGV[4])
local before = #KEYS - 2 * #refreshes
if before > 3 then
  for i = 9, #ARGV, 2 do redis.call('HSETNX', KEYS[4], ARGV[i], ARGV[i + 1]) end
  redis.call('HSET', KEYS[4], 'want', ARGV[7])
  redis.call('HDEL', KEYS[4], 'failures', 'failed')
  redis.call('EXPIRE', KEYS[4], ARGV[8])
  redis.call('ZADD', KEYS[5], now, ARGV[5])
  redis.call('ZADD', KEYS[3], 'LT', now, ARGV[6])
end
noteRefreshes(refreshes, before, KEYS[3])
redis.call('HSET', KEYS[1], 'cursor:slack', ARGV[1])
return 1`);

/**
 * Moves the position past one event, about which people get a message. KEYS: the workspace's head, the event
 * log, the due Slack work, then for each person: the record of the message, the person's pending items, the
 * list of everything stored for the person. ARGV: the number, time (ms) and resource of the event, the item,
 * the lifetime (s), then for each person the name of their work. Returns 1, or 0 when the log's position is
 * another one.
 */
export const readNoticeScript = script(`#!lua flags=allow-oom
${requireNext}
${clock}
for i = 6, #ARGV do
  local notice, pending, kept = KEYS[3 * i - 14], KEYS[3 * i - 13], KEYS[3 * i - 12]
  redis.call('HSET', notice, 'failures', '0')
  redis.call('EXPIRE', notice, ARGV[5])
  redis.call('SADD', kept, ARGV[4])
  redis.call('EXPIRE', kept, ARGV[5])
  redis.call('ZADD', pending, now, ARGV[4])
  redis.call('ZADD', KEYS[3], 'LT', now, ARGV[i])
end
redis.call('HSET', KEYS[1], 'cursor:slack', ARGV[1])
return 1`);

/**
 * Takes a channel for one worker, and returns its first due item. If there is none, releases the channel.
 * KEYS: the lease of the channel, its pending items, the due Slack work. ARGV: the lease holder, the length
 * of the lease (ms; 0 releases it), the name of the channel's work. Returns 'busy', 'idle', 'more', or 'due'
 * with the item and the time of its request.
 */
export const claimScript = script(`#!lua flags=allow-oom
${clock}
local holder = redis.call('GET', KEYS[1])
-- A lease that would end impossibly late was taken by a worker before the clock was set back, so it is
-- ignored.
if holder and holder ~= 'paused' and redis.call('PTTL', KEYS[1]) > ${longestLeaseMs} then holder = false end
if holder and holder ~= ARGV[1] then
  if redis.call('EXISTS', KEYS[2]) == 1 then
    redis.call('ZADD', KEYS[3], now + math.max(redis.call('PTTL', KEYS[1]), 1), ARGV[3])
  else
    redis.call('ZREM', KEYS[3], ARGV[3])
  end
  return {'busy'}
end
local first = redis.call('ZRANGE', KEYS[2], 0, 0, 'WITHSCORES')
local due = first[2] and tonumber(first[2]) <= now
if due and ARGV[2] ~= '0' then
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
  redis.call('ZADD', KEYS[3], now + ARGV[2], ARGV[3])
  return {'due', first[1], first[2]}
end
if holder then redis.call('DEL', KEYS[1]) end
if first[2] then redis.call('ZADD', KEYS[3], first[2], ARGV[3]) else redis.call('ZREM', KEYS[3], ARGV[3]) end
return {due and 'more' or 'idle'}`);

/**
 * Extends the lease of a channel. KEYS: the lease, the due Slack work. ARGV: the lease holder, the length of
 * the lease (ms), the name of the channel's work. Returns 1 if this worker still holds the lease.
 */
export const renewScript = script(`#!lua flags=allow-oom
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
${clock}
redis.call('PEXPIRE', KEYS[1], ARGV[2])
redis.call('ZADD', KEYS[2], 'XX', now + ARGV[2], ARGV[3])
return 1`);

/**
 * Marks that a call is about to post a message. A channel accepts two messages at once, and then one per
 * interval. If it is too early, the channel pauses. KEYS: the lease of the channel, the record of the item,
 * the time at which the next message may be sent. ARGV: the lease holder, the length of the lease (ms), the
 * mark of this call, the interval (ms), the fields to store. Returns 1, or 0 when nothing may be sent.
 */
export const beginScript = script(`#!lua flags=allow-oom
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
${clock}
local interval = tonumber(ARGV[4])
if interval > 0 then
  local free = math.max(tonumber(redis.call('GET', KEYS[3]) or '') or 0, now)
  -- A time that is too late was noted before the clock was set back.
  if free > now + 2 * interval then free = now end
  local early = free - interval - now
  if early > 0 then
    redis.call('SET', KEYS[1], 'paused', 'PX', math.ceil(early))
    return 0
  end
  redis.call('SET', KEYS[3], string.format('%.0f', free + interval), 'PX', math.ceil(free + interval - now))
end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
redis.call('HSET', KEYS[2], 'sending', ARGV[3])
for i = 5, #ARGV, 2 do redis.call('HSET', KEYS[2], ARGV[i], ARGV[i + 1]) end
return 1`);

/**
 * Records that Slack accepts no call of a method from a workspace for a while. The longer of two limits
 * counts. KEYS: the limit of the method. ARGV: the wait (ms).
 */
export const limitScript = script(`#!lua flags=allow-oom
${clock}
${endOfLimit}
local wait = tonumber(ARGV[1])
if endOfLimit(KEYS[1], now) - now < wait then limitUntil(KEYS[1], now, wait) end
return 1`);

/** Returns the time (ms) until Slack accepts calls of a method again. KEYS: the limit of the method. */
export const findLimitScript = script(`#!lua flags=no-writes
${clock}
${endOfLimit}
return math.ceil(math.max(0, math.min(endOfLimit(KEYS[1], now) - now, redis.call('PTTL', KEYS[1]))))`);

/**
 * Records the result of the work on an item. KEYS: the lease of the channel, the record of the item, the
 * pending items, the due Slack work, the record of the day's message, the limit of the method, the channel's
 * delivery problem, the record of the weekly summary, the list of everything stored for the Slack user. ARGV:
 * one JSON object (see `recordOutcome` in slack-work.ts). Returns 1, or 0 when another worker has the
 * channel. Content in Slack that this worker may have overwritten is then updated again.
 */
export const recordOutcomeScript = script(`#!lua flags=allow-oom
local op = cjson.decode(ARGV[1])
local lease, state, pending, ready, day, throttle = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local trouble = KEYS[7]
${clock}
${requestAgain}
${endOfLimit}
local held = redis.call('GET', lease) == op.holder
local applies = held
if op.token then applies = redis.call('HGET', state, 'sending') == op.token end
if not applies then
  if not op.token and redis.call('HEXISTS', state, 'ts') == 1 then
    redis.call('HDEL', state, 'shown')
    for _, field in ipairs(redis.call('HKEYS', state)) do
      if field == 'posted' or string.sub(field, 1, 7) == 'posted:' then redis.call('HSET', state, field, '0') end
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
if op.success and redis.call('HGET', trouble, 'state') == 'open' and redis.call('HDEL', trouble, 'code', 'retried') > 0 then
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
for _, field in ipairs(op.clear) do redis.call('HDEL', state, field) end
for field, value in pairs(op.set) do redis.call('HSET', state, field, value) end
if redis.call('EXISTS', state) == 1 then redis.call('EXPIRE', state, op.lifetime) end
redis.call('EXPIRE', KEYS[9], op.lifetime)
if op.delay then
  redis.call('ZADD', pending, now + op.delay, op.member)
elseif op.throttled then
  -- Items that wait for the same instant keep their order.
  local free = endOfLimit(throttle, now)
  redis.call('ZADD', pending, free + redis.call('ZCOUNT', pending, free, free + 100) / 1000, op.member)
elseif op.more then
  redis.call('ZADD', pending, 'NX', now, op.member)
elseif op.want and redis.call('HGET', state, 'want') ~= op.want then
  redis.call('ZADD', pending, now, op.member)
elseif tonumber(redis.call('ZSCORE', pending, op.member) or '') ~= tonumber(op.asked or '') then
  -- An item that was requested again stays due.
elseif op.at then
  -- A process whose clock is behind the store's may consider a due item early.
  redis.call('ZADD', pending, math.max(op.at, now + 1), op.member)
else
  redis.call('ZREM', pending, op.member)
  if op.forget then
    redis.call('DEL', state)
    redis.call('SREM', KEYS[9], op.member)
  end
  if redis.call('HDEL', trouble, 'held:' .. op.member) == 1 then
    if op.success then
      redis.pcall('HINCRBY', trouble, string.sub(op.member, 1, 7) == 'digest/' and 'reports' or 'shown', 1)
    end
    if redis.pcall('HINCRBY', trouble, 'held', -1) == 0 and redis.call('HGET', trouble, 'state') == 'solving' then
      endTrouble()
      redis.call('ZADD', pending, now, 'trouble/')
    end
  end
end
if op.pause and held then redis.call('SET', lease, 'paused', 'PX', op.pause) end
if op.links and redis.call('HGET', KEYS[8], 'channel') == op.links.channel then
  requestAgain(pending, now + op.links.delay, op.links.member)
end
if op.day then
  if op.day.names then redis.call('HSET', day, 'names', '1') end
  if op.day.shows then redis.call('HSET', day, op.day.field, op.day.author) else redis.call('HDEL', day, op.day.field) end
  if redis.call('EXISTS', day) == 1 then redis.call('EXPIRE', day, op.day.lifetime) end
  requestAgain(pending, now + op.day.delay, op.day.member)
end
return 1`);
