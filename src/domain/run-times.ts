import type {Run} from './run.js';
import {isRunDay, nextRunDay, windowOf} from './schedule.js';
import type {Team} from './team.js';
import {addDays} from './dates.js';
import type {Zones} from './zones.js';

/** When a run closes for somebody (ms): by their own clocks where they have some in it, or else for the last of its people. */
export function closingFor(
  run: Pick<Run, 'date' | 'timezone' | 'schedule' | 'closes_at' | 'participants'>,
  member: string,
  zones: Zones,
): number {
  const {schedule, date} = run;
  const timezone = run.participants.find((one) => one.member === member)?.timezone;
  if (schedule === null || timezone === undefined || timezone === null) return Date.parse(run.closes_at);
  return windowOf(schedule, date, timezone, zones).closes;
}

/** The zone whose clocks say which date a standup is for: the team's, or its author's where people go by their own. */
function zoneOf(team: Pick<Team, 'timezone' | 'schedule'>, own: string | null): string {
  return team.schedule?.clock === 'member' ? (own ?? team.timezone) : team.timezone;
}

/**
 * The date of a standup that does not say: today, but after midnight the day before as long as the run of that day is to go on. `own`: the
 * author's zone, null for one who has none.
 */
export function standupDate(
  team: Pick<Team, 'timezone' | 'schedule' | 'paused'>,
  own: string | null,
  zones: Zones,
  now: number,
): string {
  const timezone = zoneOf(team, own);
  const today = zones.dayIn(timezone, now);
  const yesterday = addDays(today, -1);
  const {schedule, paused} = team;
  if (schedule === null || paused || !isRunDay(schedule, yesterday)) return today;
  return now < windowOf(schedule, yesterday, timezone, zones).closes ? yesterday : today;
}

/** Days; a schedule may begin in years. */
const mostAhead = 90;

/** The last date that a standup may have: tomorrow, or the team's next run when that is later but not far away. */
export function lastStandupDate(
  team: Pick<Team, 'timezone' | 'schedule'>,
  own: string | null,
  zones: Zones,
  now: number,
): string {
  const tomorrow = addDays(zones.dayIn(zoneOf(team, own), now), 1);
  if (team.schedule === null) return tomorrow;
  const next = nextRunDay(team.schedule, tomorrow);
  return next <= addDays(tomorrow, mostAhead) ? next : tomorrow;
}
