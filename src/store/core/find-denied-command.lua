#!lua flags=no-writes
-- Finds a command that the user of this connection may not run on a key, without running any.
-- KEYS: the key.
-- ARGV: the commands; `client|setname` is one with a part.
-- Returns the first denied command; empty if there is none, or if this server cannot tell.
if redis.acl_check_cmd == nil then return '' end
for _, command in ipairs(ARGV) do
  local words = {}
  for word in string.gmatch(command, '[^|]+') do words[#words + 1] = word end
  -- Twice, for the commands with two keys.
  words[#words + 1] = KEYS[1]
  words[#words + 1] = KEYS[1]
  if not redis.acl_check_cmd(unpack(words)) then return command end
end
return ''
