-- The time of Redis in ms with fractions, so that items from the same millisecond keep their order.
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
