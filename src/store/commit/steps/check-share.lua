-- Checks that the workspace has not used up its share (bytes).
--- @fixed share
--- @const workspaceFull
local isFull = tonumber(head[5] or 0) >= share
if isFull then return {workspaceFull, now, quota} end
