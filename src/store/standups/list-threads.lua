#!lua flags=no-writes
-- Returns the threads of standups that have comments.
-- KEYS: the lists of the standups' comments.
--- @include "include/find-threads"
return findThreads(KEYS)
