-- Requests a schedule check. If none is due, all steps until now count as done. The steps that this commit
-- makes due then count as due from now on, and not as late.
--- @keys looks, ready
--- @args team, work
--- @include "../include/schedule-checks"
local asked, from = readChecks(looks, team)
local due = tonumber(redis.call('ZSCORE', ready, work) or '')
if not from or not due or due > now then from = now end
requestCheck(looks, team, asked, from)
redis.call('ZADD', ready, 'LT', now, work)
