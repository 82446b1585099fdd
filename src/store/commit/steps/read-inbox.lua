-- Marks the items of an inbox as read in which nothing happened after the event `last`.
--- @keys unread
--- @args last
redis.call('ZREMRANGEBYSCORE', unread, '-inf', last)
