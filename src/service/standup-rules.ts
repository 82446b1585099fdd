import {addDays, type Calendar} from '../domain/dates.js';
import {fieldError} from '../domain/errors.js';
import {limits} from '../domain/limits.js';
import type {Team} from '../domain/team.js';
import type {Clock} from './stores.js';

/** What holds for every standup, made or changed. */

/** Errors: `date_not_allowed`. */
export function requireAllowedDate(
  {calendar, clock}: {readonly calendar: Calendar; readonly clock: Clock},
  date: string,
  team: Team,
): void {
  const today = calendar.dayIn(team.timezone, clock.now());
  const [first, last] = [addDays(today, -limits.daysBack), addDays(today, 1)];
  if (date >= first && date <= last) return;
  throw fieldError(
    'date_not_allowed',
    '#/date',
    `A standup for "${team.slug}" may be dated from ${first} to ${last} (today there is ${today}).`,
  );
}
