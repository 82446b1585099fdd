#!lua flags=allow-oom
-- Marks that a call is about to post a message. A channel accepts two messages at once, and then one per
-- interval. If it is too early, the channel pauses.
-- KEYS: the lease of the channel, the record of the item, the time at which the next message may be sent.
-- ARGV: the lease holder, the length of the lease (ms), the mark of this call, the interval (ms), the fields
-- to store.
-- Returns 1, or 0 when nothing may be sent.
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
--- @include "../core/include/exact-clock"
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
return 1
