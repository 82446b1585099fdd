-- Deletes a mail. One that is being sent may still arrive.
--- @keys mail, due, mails, ready, ofOwner, secret
--- @args suffix, work
--- @include "../../mail/include/wake-mail"
redis.call('DEL', mail, secret)
redis.call('ZREM', mails, suffix)
redis.call('SREM', ofOwner, suffix)
if redis.call('ZREM', due, suffix) == 1 then wakeMail(due, ready, work) end
