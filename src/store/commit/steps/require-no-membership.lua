-- Requires that a member is not in a team.
--- @keys members
--- @args member
--- @const stale
if redis.call('HEXISTS', members, member) == 1 then return {stale, now, quota} end
