-- Stores who is who in an import.
--- @keys people
--- @args json
--- @const importPeopleLifetime
redis.call('SET', people, json, 'EX', importPeopleLifetime)
