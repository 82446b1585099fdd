#!lua flags=no-writes
-- Reads the rows of a page of standups, all at the same instant.
-- KEYS: the workspace's head, the event log, the records of the standups, and if the page includes these,
-- their Slack messages, then their comments and the reactions to them.
-- ARGV: the page as the list has it, the mark that the caller knows, the number of records.
-- Returns the mark, the channels of messages that wait, and unless the caller knows the mark, the version of
-- the teams, the records, the messages and the threads.
--
-- Each change of a standup has an event, so records need not be read while the log has the same last event.
-- The time of that event distinguishes the log of a restored store. A removal without an event changes the
-- list. Slack messages change and expire without events, and threads go without them.
--- @include "include/find-threads"
local head = redis.call('HMGET', KEYS[1], 'sequence', 'version:teams')
local last = redis.call('XREVRANGE', KEYS[2], '+', '-', 'COUNT', 1)[1]
local newest = last and last[1] .. table.concat(last[2], ' ') or ''
local seen = {ARGV[1], head[1] or '', head[2] or '', newest}
local count = tonumber(ARGV[3])
local records = {unpack(KEYS, 3, 2 + count)}
local posts, lists = {unpack(KEYS, 3 + count, 2 + 2 * count)}, {unpack(KEYS, 3 + 2 * count)}
local messages, waiting = {}, {}
if #posts > 0 and redis.call('EXISTS', unpack(posts)) > 0 then
  for i, post in ipairs(posts) do
    local message = redis.call('HMGET', post, 'channel', 'ts', 'permalink', 'failed')
    if message[1] then
      messages[#messages + 1] = {i, message}
      for n = 1, 4 do seen[#seen + 1] = message[n] or '' end
      -- A standup that waits behind another one, which Slack refused, has not been tried itself.
      if not message[2] and not message[4] then waiting[#waiting + 1] = message[1] end
    end
  end
end
local threads = findThreads(lists)
for _, thread in ipairs(threads) do
  for n = 1, 3 do seen[#seen + 1] = thread[n] end
  seen[#seen + 1] = table.concat(thread[4], ' ')
end
local mark = redis.sha1hex(table.concat(seen, '\n'))
if mark == ARGV[2] then return {mark, waiting} end
local kept = #records > 0 and redis.call('MGET', unpack(records)) or {}
return {mark, waiting, head[2] or '', kept, messages, threads}
