-- Moves a delivery from its field in a block to a separate record, if the field has a value.
--- @include "delivery-blocks"
local function takeOut(key, block, suffix, webhook)
  local number, attempt = string.match(redis.call('HGET', block, fieldOf(suffix)) or '', '^(%d+),?(.*)$')
  if not number then return end
  redis.call('HSET', key, 'webhook', webhook, 'n', number)
  if attempt ~= '' then
    redis.call('HSET', key, 'state', 'succeeded', 'attempts', '1', 'attempt:1', attempt)
  end
  redis.call('PEXPIRE', key, redis.call('PTTL', block))
  redis.call('HSET', block, fieldOf(suffix), '')
end
