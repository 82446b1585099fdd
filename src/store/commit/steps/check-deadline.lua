-- Checks that the deadline of the caller has not passed.
--- @args notAfter
--- @const tooLate
if now > tonumber(notAfter) then return {tooLate, now, quota} end
