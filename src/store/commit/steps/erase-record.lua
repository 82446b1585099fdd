-- Removes a resource with its revisions.
--- @keys record, revisions, lists...
--- @args _, suffix
--- @include "../include/count-erased"
countErased(headKey, record)
countErased(headKey, revisions)
redis.call('DEL', record, revisions)
for _, list in ipairs(lists) do redis.call('ZREM', list, suffix) end
