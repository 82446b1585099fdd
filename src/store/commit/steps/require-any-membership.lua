-- Requires that a member is in a team.
--- @keys members
--- @args member
--- @const stale
if redis.call('HEXISTS', members, member) == 0 then return {stale, now, quota} end
