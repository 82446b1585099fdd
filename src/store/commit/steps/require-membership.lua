-- Requires that a member still has this membership.
--- @keys members
--- @args member, membership
--- @const stale
if redis.call('HGET', members, member) ~= membership then return {stale, now, quota} end
