-- Requires that a name is free, or belongs to `but`.
--- @keys names
--- @args name, but
--- @const stale
if (redis.call('HGET', names, name) or but) ~= but then return {stale, now, quota} end
