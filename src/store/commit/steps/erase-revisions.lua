--- @keys revisions
--- @include "../include/count-erased"
countErased(headKey, revisions)
redis.call('DEL', revisions)
