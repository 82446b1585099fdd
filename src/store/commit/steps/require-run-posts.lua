-- Requires that nothing was posted for a run since it was read.
--- @keys runPosts
--- @args count
--- @const stale
if (redis.call('GET', runPosts) or '0') ~= count then return {stale, now, quota} end
