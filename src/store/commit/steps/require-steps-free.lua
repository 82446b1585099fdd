-- Requires that steps of a run were not taken after a time.
--- @keys runSteps
--- @args after, steps
--- @const stale
for step in string.gmatch(steps, '%S+') do
  local at = redis.call('HGET', runSteps, step)
  if at and tonumber(at) > tonumber(after) then return {stale, now, quota} end
end
