-- Makes a key expire after `seconds` at the earliest. It may live longer by a 720th (an hour of 30 days),
-- so that most calls write nothing.
local function keepFor(key, seconds)
  if redis.call('PTTL', key) < seconds * 1000 then
    redis.call('EXPIRE', key, math.floor(seconds + seconds / 720))
  end
end
