-- Frees a name, unless another resource has it now.
--- @keys names
--- @args name, suffix
if redis.call('HGET', names, name) == suffix then redis.call('HDEL', names, name) end
