-- Requires that a member is in a team, and has accepted that. See `serializeMembership`.
--- @keys members
--- @args member
--- @const stale
local membership = redis.call('HGET', members, member) or ''
if not string.match(membership, '^[^/]*/[^/]*$') then return {stale, now, quota} end
