-- Tries a write that is never saved to disk or replicated. The script has no `#!lua` line, because Redis
-- would then refuse the whole script on a full or read-only store.
-- KEYS: the id of the stored data, the set of workspaces, the test value, the process that runs the
-- scheduler.
redis.set_repl(redis.REPL_NONE)
local written = redis.pcall('SET', KEYS[3], '1', 'PX', 1000)
return {
  redis.call('GET', KEYS[1]), redis.call('SCARD', KEYS[2]), written.err or '', redis.call('EXISTS', KEYS[4]),
}
