#!lua flags=allow-oom
-- Records update requests without moving the position in the log.
-- KEYS: the due Slack work, then for each request: the record of its item, the pending items of its channel.
-- ARGV: the requests (JSON).
--- @include "../core/include/exact-clock"
--- @include "include/request-again"
--- @include "include/note-refreshes"
noteRefreshes(cjson.decode(ARGV[1]), 1, KEYS[1], now)
return 1
