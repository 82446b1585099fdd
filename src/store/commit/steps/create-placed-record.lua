-- Creates a resource without an event. A counter gives it a position behind those of all events of a day, so
-- that no two are equal. `lifetime`: how long (s) the last list stays; 0 for as long as it has entries.
--- @keys record, lists...
--- @args suffix, draft, days...
--- @fixed prefix, lifetime
--- @include "../include/stamp"
--- @include "../include/instant"
--- @include "../include/add-to-lists"
--- @include "../include/placed"
redis.call('SET', record, '{"id":"' .. prefix .. '_' .. stamp .. suffix .. '",' .. draft
  .. ',"revision":1,"created_at":"' .. instant .. '","updated_at":"' .. instant .. '"}')
addToLists(lists, days, nextPlaced(), suffix)
expireLast(lists[#lists], lifetime)
