-- Counts an invite to an address on a day. The count stays when the invite loses its address.
--- @keys invited
--- @const invitedLifetime
redis.call('INCR', invited)
redis.call('EXPIRE', invited, invitedLifetime)
