-- Removes a resource. The first lists contained it, the others are those of what each named person was
-- removed from.
--- @keys record, revisions, lists...
--- @args from, suffix
--- @fixed lifetime, containing
--- @include "../include/list-as-removed"
redis.call('HSET', revisions, from, redis.call('GET', record))
redis.call('EXPIRE', revisions, lifetime)
redis.call('DEL', record)
for i, list in ipairs(lists) do
  if i <= containing then redis.call('ZREM', list, suffix) else listAsRemoved(list, suffix, lifetime) end
end
