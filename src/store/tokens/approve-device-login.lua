#!lua flags=allow-oom
-- Records the token of an approved login. The first key that signs it stays, so that all answers are equal.
-- KEYS: the login. ARGV: the id of the token, the id of the signing key.
if redis.call('HGET', KEYS[1], 'state') == 'approving' then
  redis.call('HSET', KEYS[1], 'state', 'approved', 'token', ARGV[1], 'kid', ARGV[2])
end
return 1
