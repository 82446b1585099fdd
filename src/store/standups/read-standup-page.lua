#!lua flags=no-writes
-- Reads a page of standups.
-- KEYS: the workspace's head, the event log, the list.
-- ARGV: the prefix of the workspace's keys, the mark that the caller knows, 1 to include Slack messages, the
-- number of rows plus one, the range of positions. Further keys are in the same cluster slot.
--
-- Each change of a standup has an event, so records need not be read while the log has the same last event.
-- The time of that event distinguishes the log of a restored store. A removal without an event changes the
-- list. Slack messages change and expire without events.
local head = redis.call('HMGET', KEYS[1], 'sequence', 'version:teams')
local last = redis.call('XREVRANGE', KEYS[2], '+', '-', 'COUNT', 1)[1]
local found = redis.call('ZRANGE', KEYS[3], unpack(ARGV, 5))
local records, posts = {}, {}
for i = 1, math.min(#found, 2 * (ARGV[4] - 1)), 2 do
  records[#records + 1] = ARGV[1] .. 'r:' .. found[i]
  posts[#posts + 1] = ARGV[1] .. 'p:' .. found[i]
end
local newest = last and last[1] .. table.concat(last[2], ' ') or ''
local seen = {KEYS[3], head[1] or '', head[2] or '', newest, table.concat(found, ' ')}
local messages = {}
if ARGV[3] == '1' and #posts > 0 and redis.call('EXISTS', unpack(posts)) > 0 then
  for i, post in ipairs(posts) do
    local message = redis.call('HMGET', post, 'channel', 'ts', 'permalink', 'failed')
    local channel, trouble = message[1], false
    -- A standup that waits behind another one, which Slack refused, has not been tried itself.
    if channel and not message[2] and not message[4] then
      trouble = redis.call('HGET', ARGV[1] .. 'c:' .. channel .. ':trouble', 'code')
    end
    if channel then
      messages[#messages + 1] = {i, message, trouble}
      for n = 1, 4 do seen[#seen + 1] = message[n] or '' end
      seen[#seen + 1] = trouble or ''
    end
  end
end
local mark = redis.sha1hex(table.concat(seen, '\n'))
if mark == ARGV[2] then return {mark} end
return {mark, head[2] or '', found, #records > 0 and redis.call('MGET', unpack(records)) or {}, messages}
