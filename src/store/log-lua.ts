import type {LogEntry} from '../domain/event.js';

/** What of an event a script takes to tell it from another one with its number. */
export type LogMark = Pick<LogEntry, 'sequence' | 'at' | 'about'>;

/**
 * Whether an event that a process has read stands in the log. A cursor counts events, and a store that was set back counts them anew: a step
 * planned before would pass over those that came since. Whatever stands before an event is the same wherever that stands.
 */
export const standsFunction = `
local function stands(events, sequence, at, about)
  local entry = redis.call('XRANGE', events, sequence, sequence)[1]
  return entry and entry[2][2] == at and entry[2][6] == about
end`.trim();
