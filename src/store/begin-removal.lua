#!lua flags=allow-oom
-- Hides the data of a workspace that was exported with this digest, so that it can be removed step by step.
-- KEYS: the workspace's head, its record.
-- ARGV: the digest.
-- Returns the slug, or nothing if it is not read-only or was exported with another digest.
local head = redis.call('HMGET', KEYS[1], 'frozen', 'exported', 'removing')
if not head[1] or head[2] ~= ARGV[1] then return end
if head[3] then return head[3] end
local slug = cjson.decode(redis.call('GET', KEYS[2])).slug
redis.call('HSET', KEYS[1], 'removing', slug)
redis.call('HDEL', KEYS[1], 'sequence')
return slug
