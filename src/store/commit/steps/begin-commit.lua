-- The beginning of every commit. A commit is one script of these steps, so a local of one is visible in
-- those after it: `now` of clock.lua, and from here `quota`, the new state of the caller's quota;
-- `headKey`, `head`, `sequence`, `first` and `at` of read-head.lua; `conditions`, `asked` and `nth` of
-- read-conditions.lua.
--- @include "../../core/include/clock"
local quota = ''
