-- Sets a part of a member's drafts. Deletes the fields in `gone`, between spaces, and the parts that no one
-- has changed for too long. Each change of a part has another time, by which guards notice it. `at` is that
-- of read-head.lua.
--- @keys drafts
--- @args field, part, gone
--- @const draftLifetime
local time = at
local kept = redis.call('HGETALL', drafts)
for i = 1, #kept, 2 do
  local changed = tonumber(string.match(kept[i + 1], '^%d+'))
  if kept[i] == field then time = math.max(time, changed + 1) end
  if changed <= at - draftLifetime * 1000 then redis.call('HDEL', drafts, kept[i]) end
end
for name in string.gmatch(gone, '%S+') do redis.call('HDEL', drafts, name) end
redis.call('HSET', drafts, field, string.format('%.0f', time) .. ' ' .. part)
redis.call('EXPIRE', drafts, draftLifetime)
