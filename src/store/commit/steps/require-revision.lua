-- Requires that a resource still has a revision.
--- @keys record
--- @args from
--- @const stale
--- @include "../include/revision"
if revision(record) ~= from then return {stale, now, quota} end
