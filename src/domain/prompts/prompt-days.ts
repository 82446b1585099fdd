import {addDays} from '../core/dates.js';

/**
 * The possible distances (days) between a message and the date of its run. Time zones differ by up to 26
 * hours, and a run may close at the end of the following day.
 */
const daysApart = [-2, -1, 0, 1, 2, 3];

/** Returns the days on which a member may have reminders about runs of these dates. */
export function listDatesAround(dates: readonly string[]): string[] {
  return [...new Set(dates.flatMap((date) => daysApart.map((away) => addDays(date, away))))];
}
