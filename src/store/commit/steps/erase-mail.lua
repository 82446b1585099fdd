-- Deletes a mail. One that is being sent may still arrive.
--- @keys mail, due, mails, ready, ofMember, secret
--- @args suffix, work
--- @include "../../mail/include/wake-mail"
redis.call('DEL', mail, secret)
redis.call('ZREM', mails, suffix)
redis.call('SREM', ofMember, suffix)
if redis.call('ZREM', due, suffix) == 1 then wakeMail(due, ready, work) end
