-- Requires that no one has changed the record of messages to the bot. An empty version means that there was
-- no record.
--- @keys typed
--- @args version
--- @const stale
if string.match(redis.call('GET', typed) or '', '^%S*') ~= version then return {stale, now, quota} end
