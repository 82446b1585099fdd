-- Makes the result of a schedule check in progress invalid.
--- @keys looks
--- @args team
--- @include "../include/schedule-checks"
local asked, from = readChecks(looks, team)
requestCheck(looks, team, asked, from or now)
