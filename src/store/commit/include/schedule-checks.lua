-- Returns how many schedule checks of a team were requested, and until when (ms) all due steps are done.
local function readChecks(looks, team)
  return string.match(redis.call('HGET', looks, team) or '', '^(%d+) (%d+)$')
end

local function requestCheck(looks, team, asked, from)
  redis.call('HSET', looks, team, string.format('%.0f %.0f', (asked or 0) + 1, from))
end
