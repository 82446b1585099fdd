import type {PrincipalId} from '../core/access.js';
import type {Run} from './run.js';
import {isRunDay, nextRunDay, runWindowOf} from '../schedules/schedule.js';
import type {Team} from '../teams/team.js';
import {addDays} from '../core/dates.js';
import type {Zones} from '../core/zones.js';

/**
 * The instant (ms) at which a run closes for a person. If the run goes by members' clocks and expects them,
 * their own clocks count (the team's where they have none). Otherwise it is when the run closes for the last
 * of its people.
 */
export function closingTimeFor(
  run: Pick<Run, 'date' | 'timezone' | 'schedule' | 'closes_at' | 'participants'>,
  member: PrincipalId,
  zones: Zones,
): number {
  const {schedule, date} = run;
  const expected = run.participants.find((one) => one.member === member);
  if (schedule?.clock !== 'member' || expected === undefined) return Date.parse(run.closes_at);
  return runWindowOf(schedule, date, expected.timezone ?? run.timezone, zones).closes;
}

/** The author of a standup (undefined: no particular one), and their own time zone. */
export interface DatedAuthor {
  readonly member: PrincipalId | undefined;
  readonly timezone: string | null;
}

/**
 * True while an open run is open for a person: by their own clocks where members go by those, or the team's
 * where they have none.
 */
export function isStillOpenFor(
  run: Pick<Run, 'date' | 'timezone' | 'schedule' | 'closes_at' | 'participants'>,
  {member, timezone: own}: DatedAuthor,
  zones: Zones,
  now: number,
): boolean {
  const {schedule, date, participants} = run;
  if (schedule?.clock !== 'member') return now < Date.parse(run.closes_at);
  const expected = participants.find((one) => one.member === member);
  const timezone = (expected === undefined ? own : expected.timezone) ?? run.timezone;
  const {opens, closes} = runWindowOf(schedule, date, timezone, zones);
  return opens <= now && now < closes;
}

/**
 * The zone in which a standup's date is taken: the team's, or its author's where members go by their own
 * clocks.
 */
function standupZoneOf(team: Pick<Team, 'timezone' | 'schedule'>, own: string | null): string {
  return team.schedule?.clock === 'member' ? (own ?? team.timezone) : team.timezone;
}

/** Today in the zone that counts. `own`: the author's zone, or null. */
export function teamToday(
  team: Pick<Team, 'timezone' | 'schedule'>,
  own: string | null,
  zones: Zones,
  now: number,
): string {
  return zones.dayIn(standupZoneOf(team, own), now);
}

/** Yesterday's run, if the team's schedule keeps it open now: its date, and when it was to open (ms). */
export function yesterdaysOpenRun(
  team: Pick<Team, 'timezone' | 'schedule' | 'paused'>,
  own: string | null,
  zones: Zones,
  now: number,
): {readonly date: string; readonly opens: number} | undefined {
  const {schedule, paused} = team;
  if (schedule === null || paused) return undefined;
  const date = addDays(teamToday(team, own, zones, now), -1);
  if (!isRunDay(schedule, date)) return undefined;
  const {opens, closes} = runWindowOf(schedule, date, standupZoneOf(team, own), zones);
  return now < closes ? {date, opens} : undefined;
}

/** In days; a schedule may begin years ahead. */
const mostAhead = 90;

/**
 * The last date that a standup may have: tomorrow, or the team's next run when that is later but not far
 * away.
 */
export function lastStandupDate(
  team: Pick<Team, 'timezone' | 'schedule'>,
  own: string | null,
  zones: Zones,
  now: number,
): string {
  const tomorrow = addDays(teamToday(team, own, zones, now), 1);
  if (team.schedule === null) return tomorrow;
  const next = nextRunDay(team.schedule, tomorrow);
  return next <= addDays(tomorrow, mostAhead) ? next : tomorrow;
}
