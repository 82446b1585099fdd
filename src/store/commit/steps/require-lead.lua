-- Requires that a member leads a team.
--- @keys members
--- @args member
--- @const stale
local membership = redis.call('HGET', members, member) or ''
if string.match(membership, '^[^/]*') ~= 'lead' then return {stale, now, quota} end
