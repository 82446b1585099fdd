#!lua flags=no-writes
-- Returns the threads of standups that have comments or reactions.
-- KEYS: the lists of the standups' comments, then of the reactions to them.
--- @include "include/find-threads"
return findThreads(KEYS)
