-- Records why the reminder of a run did not reach a member, or forgets it once one has.
--- @keys unreachable
--- @args member, code, lifetime
if code == '' then
  redis.call('HDEL', unreachable, member)
else
  redis.call('HSET', unreachable, member, code)
  redis.call('EXPIRE', unreachable, lifetime)
end
