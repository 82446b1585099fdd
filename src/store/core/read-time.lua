#!lua flags=allow-oom
return redis.call('TIME')
