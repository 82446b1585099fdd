-- The beginning of every commit. The checks set `quota`, the new state of the caller's quota.
--- @include "../../core/include/clock"
local quota = ''
