-- Returns how many more deliveries may wait for a webhook.
--- @const pendingPerWebhook
local function countFreeSlots(k)
  return pendingPerWebhook - redis.call('ZCARD', k.pending) - redis.call('ZCARD', k.waiting)
end
