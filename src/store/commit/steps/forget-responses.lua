-- Deletes the stored answers of receivers. The answers to requests still in progress arrive later. They are
-- not stored, since they may repeat erased content.
--- @keys excerpts, state, record
--- @const repeatedForMs
redis.call('DEL', excerpts)
if redis.call('EXISTS', record) == 1 then redis.call('HSET', state, 'forgotten', now + repeatedForMs) end
