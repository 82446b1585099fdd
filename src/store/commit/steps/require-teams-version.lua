-- Requires that no team has changed. The version of the teams is in the head, which is already read.
--- @args version
--- @const stale
if (head[3] or '') ~= version then return {stale, now, quota} end
