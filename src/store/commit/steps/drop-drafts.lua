-- Deletes the parts of a member's drafts whose fields begin with `prefix`: those of one team and day.
--- @keys drafts
--- @args prefix
for _, field in ipairs(redis.call('HKEYS', drafts)) do
  if string.sub(field, 1, #prefix) == prefix then redis.call('HDEL', drafts, field) end
end
