-- Marks steps of a run as taken. Their names are one argument, so that any number has the same script.
--- @keys runSteps
--- @args _, steps
--- @const eventLifetime
for step in string.gmatch(steps, '%S+') do redis.call('HSET', runSteps, step, now) end
redis.call('EXPIRE', runSteps, eventLifetime)
