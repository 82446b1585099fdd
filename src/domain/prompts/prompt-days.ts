import {addDays} from '../core/dates.js';

/**
 * Distances in days of a message from the date of its run: clocks differ by up to 26 hours, and a run may
 * close at the end of the day after its own.
 */
const daysApart = [-2, -1, 0, 1, 2, 3];

/** The days on which a member may have prompts that are about a run of one of these dates. */
export function datesAround(dates: readonly string[]): string[] {
  return [...new Set(dates.flatMap((date) => daysApart.map((away) => addDays(date, away))))];
}
