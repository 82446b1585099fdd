-- Requires that what is known of a message in a Slack channel has not changed. Empty means nothing.
--- @keys message
--- @args known
--- @const stale
if (redis.call('GET', message) or '') ~= known then return {stale, now, quota} end
