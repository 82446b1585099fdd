-- Creates a resource whose draft has the id of another resource that the same commit creates. `draft` ends,
-- and `rest` begins where that id has its time. `nth`: see create-record.lua.
--- @keys record, lists...
--- @args suffix, draft, rest, nth, days...
--- @fixed prefix
--- @include "../include/stamp"
--- @include "../include/instant"
--- @include "../include/add-to-lists"
redis.call('SET', record, '{"id":"' .. prefix .. '_' .. stamp .. suffix .. '",' .. draft .. stamp .. rest
  .. ',"revision":1,"created_at":"' .. instant .. '","updated_at":"' .. instant .. '"}')
addToLists(lists, days, first + nth, suffix)
