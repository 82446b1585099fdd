-- Replaces the record of a resource by its next revision, and keeps the earlier one for its events.
--- @keys record, revisions, lists...
--- @args from, suffix, front, days...
--- @fixed lifetime
--- @include "../include/instant"
--- @include "../include/move-in-lists"
redis.call('HSET', revisions, from, redis.call('GET', record))
redis.call('EXPIRE', revisions, lifetime)
redis.call('SET', record, front .. instant .. '"}')
moveInLists(lists, days, suffix)
