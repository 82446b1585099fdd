-- The time of a commit as an instant, like domain/core/dates.ts. The caller sends the text for the expected
-- second as ARGV[4], and the script calculates it only if that second (ARGV[3]) is wrong. `at` is
-- that of read-head.lua.
local instant = ARGV[4]
if math.floor(at / 1000) ~= tonumber(ARGV[3]) then
  local z = math.floor(at / 86400000) + 719468
  local era = math.floor(z / 146097)
  local doe = z - era * 146097
  local leapDays = math.floor(doe / 1460) - math.floor(doe / 36524) + math.floor(doe / 146096)
  local yoe = math.floor((doe - leapDays) / 365)
  local doy = doe - (365 * yoe + math.floor(yoe / 4) - math.floor(yoe / 100))
  local mp = math.floor((5 * doy + 2) / 153)
  local day = doy - math.floor((153 * mp + 2) / 5) + 1
  local month = mp < 10 and mp + 3 or mp - 9
  local year = yoe + era * 400 + (month <= 2 and 1 or 0)
  local rest = math.floor(at % 86400000 / 1000)
  instant = string.format('%04d-%02d-%02dT%02d:%02d:%02d.', year, month, day,
    math.floor(rest / 3600), math.floor(rest / 60) % 60, rest % 60)
end
instant = instant .. string.format('%03dZ', at % 1000)
