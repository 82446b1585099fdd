-- Stores the record of messages to the bot.
--- @keys typed
--- @args record
--- @const typedLifetime
redis.call('SET', typed, record, 'EX', typedLifetime)
