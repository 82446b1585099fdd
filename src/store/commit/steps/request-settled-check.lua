-- Requests a schedule check after which all steps until now count as done.
--- @keys looks, ready
--- @args team, work
--- @include "../include/schedule-checks"
local asked = readChecks(looks, team)
requestCheck(looks, team, asked, now)
redis.call('ZADD', ready, 'LT', now, work)
