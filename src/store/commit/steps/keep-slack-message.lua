-- Stores what a message in a Slack channel is, for `seconds`.
--- @keys message
--- @args known, seconds
redis.call('SET', message, known, 'EX', seconds)
