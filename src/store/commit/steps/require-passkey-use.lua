-- Requires that a passkey has not been used since its use was read, and that it still exists.
--- @keys uses
--- @args passkey, use
--- @const stale
if redis.call('HGET', uses, passkey) ~= use then return {stale, now, quota} end
