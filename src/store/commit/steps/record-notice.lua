-- Records a look at an item of an inbox that may have to be sent: when it is looked at again, if at all.
--- @keys due, ready
--- @args entry, work, next
--- @include "../../mail/include/wake-mail"
if next == '' then redis.call('ZREM', due, entry) else redis.call('ZADD', due, next, entry) end
wakeMail(due, ready, work)
