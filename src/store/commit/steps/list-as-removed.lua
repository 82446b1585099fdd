-- Adds an entry to a list of what a person was removed from.
--- @keys list
--- @args entry
--- @fixed lifetime
--- @include "../include/list-as-removed"
listAsRemoved(list, entry, lifetime)
