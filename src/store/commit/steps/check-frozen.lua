-- Checks that the workspace is not read-only. A repeat has already got its stored answer.
--- @const workspaceReadOnly
if head[6] then return {workspaceReadOnly, now, quota} end
