-- Creates a resource. `nth`: the position of its event in the commit.
--- @keys record, lists...
--- @args suffix, draft, nth, days...
--- @fixed prefix
--- @include "../include/stamp"
--- @include "../include/instant"
--- @include "../include/add-to-lists"
redis.call('SET', record, '{"id":"' .. prefix .. '_' .. stamp .. suffix .. '",' .. draft
  .. ',"revision":1,"created_at":"' .. instant .. '","updated_at":"' .. instant .. '"}')
addToLists(lists, days, first + nth, suffix)
