-- Takes several requests from the quota of the caller at once. Repeats count too.
--- @args step, span, writeStep, writeSpan
--- @const overQuota
--- @include "../../core/include/take-quota"
nth = nth + 1
local over
quota, over = takeQuota(conditions[nth], asked[nth], now, step, span, writeStep, writeSpan)
if over then return {overQuota, now, quota} end
