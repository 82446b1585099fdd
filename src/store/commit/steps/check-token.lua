-- Checks that the token is valid.
--- @const tokenDead
nth = nth + 1
if not asked[nth] then return {tokenDead, now, quota} end
