-- Records update requests (see `packRefreshes` in slack-refreshes.ts). After the first `before` KEYS, each
-- request has two: the record of the item, and the pending items of its channel.
--- @include "request-again"
local function noteRefreshes(refreshes, before, ready, now)
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
end
