-- Requires that no other schedule check of a team was requested.
--- @keys looks
--- @args team, count
--- @const stale
--- @include "../include/schedule-checks"
local asked = readChecks(looks, team)
if (asked or '0') ~= count then return {stale, now, quota} end
