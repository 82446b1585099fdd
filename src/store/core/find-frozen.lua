#!lua flags=no-writes
-- Returns 1 if a workspace is read-only, or is being imported and not yet there.
-- KEYS: the workspace's head, the progress of its import.
--- @include "include/is-frozen"
return isFrozen(KEYS[1], KEYS[2])
