#!lua
-- Creates the head of an imported workspace, which makes it visible, and its record with the slug.
-- KEYS: the workspace's head, the progress of the import, the record, the due work, the due Slack work: the
-- caller's connection lists it as due.
-- ARGV: the process that imports, the record or '', then the fields of the head with their values.
-- Returns 1, or 0 if another process imports now, or has imported the workspace.
if redis.call('HGET', KEYS[2], 'importer') ~= ARGV[1] then return 0 end
if ARGV[2] ~= '' then redis.call('SET', KEYS[3], ARGV[2]) end
for i = 3, #ARGV, 2 do redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1]) end
return 1
