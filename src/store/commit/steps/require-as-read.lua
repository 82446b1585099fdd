-- Requires that a resource still ends with the revision and times that were read.
--- @keys record
--- @args stampFields
--- @const stale
if redis.call('GETRANGE', record, -#stampFields, -1) ~= stampFields then return {stale, now, quota} end
