import type {LogEntry} from '../../domain/events/event.js';

/** The parts of an event by which a script tells it from another one with its number. */
export type LogMark = Pick<LogEntry, 'sequence' | 'at' | 'about'>;

/**
 * Whether an event that a process has read stands in the log. A cursor counts events, and a store that was
 * set back counts them anew: a step planned before would pass over those that came since. Whatever stands
 * before an event is the same wherever that stands.
 */
export const standsFunction = `
local function stands(events, sequence, at, about)
  local entry = redis.call('XRANGE', events, sequence, sequence)[1]
  local time = tonumber(at)
  -- One that cannot be read is the same wherever it is read.
  if time ~= time then time = nil end
  return entry and tonumber(entry[2][2]) == time and (entry[2][6] or '') == about
end`.trim();
