-- Counts a result for or against the receiver. The state of the circuit breaker: `breaker` (`open`,
-- `ramp`; absent when closed), `opened`, `probe` (the next test), `every` (the interval of tests), all
-- in ms; `ramp` (simultaneous requests during recovery), `ok` (successes at this ramp), `streak`
-- (failures in a row), `recent` (the last results, 1 for a success). Attempts from before the breaker
-- opened do not change it. Those from before the webhook was enabled or got another URL (`anew`) do not
-- count. `now`: see claim-deliveries.lua.
--- @include "webhook-state"

-- The numbers that open the circuit breaker: failures in a row, or failures among the last attempts.
local maxStreak, recentAttempts, maxRecentFailures = 5, 20, 10
local probeMs, probeMaxMs, fullRamp = 30000, 900000, 4

local function failures(recent)
  local _, count = string.gsub(recent, '0', '')
  return count
end

local function openBreaker(every)
  set('breaker', 'open')
  set('opened', now)
  set('every', every)
  set('probe', now + every)
  set('ramp', nil)
  set('ok', nil)
end

-- `how`: the error and status of the attempt.
local function charge(success, claimedAt, how)
  if state.anew and claimedAt <= tonumber(state.anew) then return end
  local last = string.match(state.last or '', '^%d+:(.*)$')
  set('same', not success and (how == last and state.same or 0) + 1 or nil)
  set('last', string.format('%.0f', now) .. ':' .. how)
  if success then
    set('failing', nil)
    set('failed', nil)
    set('warned', nil)
  else
    set('failing', state.failing or now)
    set('failed', (state.failed or 0) + 1)
  end
  if state.opened and claimedAt <= tonumber(state.opened) then return end
  local recent = string.sub((state.recent or '') .. (success and '1' or '0'), -recentAttempts)
  set('recent', recent)
  set('streak', not success and (state.streak or 0) + 1 or nil)
  if not state.breaker then
    local half = #recent == recentAttempts and failures(recent) >= maxRecentFailures
    if not success and (tonumber(state.streak) >= maxStreak or half) then openBreaker(probeMs) end
  elseif not success then
    openBreaker(math.min(2 * state.every, probeMaxMs))
  elseif state.breaker == 'open' then
    set('breaker', 'ramp')
    set('ramp', 1)
    set('ok', 0)
  else
    set('ok', state.ok + 1)
    if tonumber(state.ok) >= tonumber(state.ramp) then
      set('ramp', 2 * state.ramp)
      set('ok', 0)
    end
    if tonumber(state.ramp) > fullRamp then closeBreaker() end
  end
end
