-- The time of a new id by the clock of Redis, like domain/core/ids.ts. The caller sends the text for the
-- expected second as ARGV[2], and the script calculates it only if that second (ARGV[1]) is wrong. `at`
-- is that of read-head.lua.
--- @const alphabet
local stamp = ARGV[2]
do
  local low = at % 1024
  local high = (at - low) / 1024
  if high ~= tonumber(ARGV[1]) then
    stamp = ''
    for _ = 1, 8 do
      local digit = high % 32
      stamp = string.sub(alphabet, digit + 1, digit + 1) .. stamp
      high = (high - digit) / 32
    end
  end
  local last = low % 32
  local before = (low - last) / 32
  stamp = stamp .. string.sub(alphabet, before + 1, before + 1) .. string.sub(alphabet, last + 1, last + 1)
end
