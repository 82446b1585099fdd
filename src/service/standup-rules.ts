import {addDays} from '../domain/dates.js';
import {fieldError} from '../domain/errors.js';
import {limits} from '../domain/limits.js';
import {lastStandupDate, standupDate} from '../domain/run-times.js';
import type {Team} from '../domain/team.js';
import type {Zones} from '../domain/zones.js';
import type {Clock} from './stores.js';

/** What holds for every standup, made or changed. */

/** `own`: the author's zone. Errors: `date_not_allowed`, which names the first and the last date. */
export function requireAllowedDate(
  {zones, clock}: {readonly zones: Zones; readonly clock: Clock},
  date: string,
  team: Team,
  own: string | null,
): void {
  const now = clock.now();
  const today = standupDate(team, own, zones, now);
  const [first, last] = [addDays(today, -limits.daysBack), lastStandupDate(team, own, zones, now)];
  if (date >= first && date <= last) return;
  throw fieldError(
    'date_not_allowed',
    '#/date',
    `A standup for "${team.slug}" may be dated from ${first} to ${last} (today there is ${today}).`,
  );
}
