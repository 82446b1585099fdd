-- Replaces the record of a resource by its next revision, and keeps the earlier one. `front`: the new record
-- up to its last time.
--- @keys record, revisions, lists...
--- @args from, suffix, front, days...
--- @include "../include/instant"
--- @include "../include/move-in-lists"
redis.call('HSET', revisions, from, redis.call('GET', record))
redis.call('SET', record, front .. instant .. '"}')
moveInLists(lists, days, suffix)
