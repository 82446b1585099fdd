#!lua flags=allow-oom
-- Updates messages to people.
-- KEYS: the due Slack work, then for each person who was told: their pending items, the list of everything
-- stored for them.
-- ARGV: the item, the name of each person's work.
--- @include "../core/include/exact-clock"
--- @include "include/notify-again"
notifyAgain(KEYS[1], ARGV[1], 2, 2, now)
return 1
