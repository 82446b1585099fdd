-- Checks that the workspace has not used up its share (bytes). A sign-in is allowed even then, a limited
-- number of times a day.
--- @fixed share
--- @const waysInWhileFull, workspaceFull
nth = nth + 1
local isFull = tonumber(head[5] or 0) >= share
if isFull and tonumber(asked[nth] or 0) >= waysInWhileFull then return {workspaceFull, now, quota} end
