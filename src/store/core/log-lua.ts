import type {LogEntry} from '../../domain/events/event.js';

/** The parts of an event by which a script distinguishes it from another one with the same number. */
export type LogMark = Pick<LogEntry, 'sequence' | 'at' | 'about'>;

/**
 * True when an event that a process has read is still in the log. A cursor counts events, and a store that
 * was restored to an earlier state counts them again: an older plan would skip the new events. If this event
 * is the same, all events before it are too.
 */
export const isInLogFunction = `
local function isInLog(events, sequence, at, about)
  local entry = redis.call('XRANGE', events, sequence, sequence)[1]
  local time = tonumber(at)
  -- A time that is not a number equals another one, as both become nil.
  if time ~= time then time = nil end
  return entry and tonumber(entry[2][2]) == time and (entry[2][6] or '') == about
end`.trim();
