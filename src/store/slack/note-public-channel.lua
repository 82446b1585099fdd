#!lua flags=allow-oom
-- Records a public channel.
-- KEYS: the list of public channels.
-- ARGV: the channel, the number of channels to keep in the list.
redis.call('ZADD', KEYS[1], redis.call('TIME')[1], ARGV[1])
redis.call('ZREMRANGEBYRANK', KEYS[1], 0, -1 - ARGV[2])
return 1
