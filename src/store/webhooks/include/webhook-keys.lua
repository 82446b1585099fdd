-- Returns one webhook's keys for scripts that create deliveries. `at`: the position of its first key.
local function webhook(at, suffix)
  return {
    list = KEYS[at], pending = KEYS[at + 1], tries = KEYS[at + 2], state = KEYS[at + 3],
    waiting = KEYS[at + 4], heads = KEYS[at + 5], ready = KEYS[2], webhook = suffix,
  }
end
