import type {PrincipalId} from '../core/access.js';
import type {Run} from './run.js';
import {isRunDay, findNextRunDay, runWindowOf} from '../schedules/schedule.js';
import type {Team} from '../teams/team.js';
import {addDays} from '../core/dates.js';
import type {Zones} from '../core/zones.js';

type TimedRun = Pick<Run, 'date' | 'timezone' | 'schedule' | 'closes_at' | 'participants'>;
type TimedTeam = Pick<Team, 'timezone' | 'schedule'>;

/**
 * Returns the instant (ms) at which a run closes for a person. If the run uses each member's time zone and
 * expects this person, their own zone counts (or else the team's). Otherwise it is the instant at which the
 * run closes for its last person.
 */
export function findClosingTimeFor(run: TimedRun, member: PrincipalId, zones: Zones): number {
  const {schedule, date} = run;
  const expected = run.participants.find((one) => one.member === member);
  if (schedule?.clock !== 'member' || expected === undefined) return Date.parse(run.closes_at);
  return runWindowOf(schedule, date, expected.timezone ?? run.timezone, zones).closes;
}

/** The author of a standup, if known, and the author's time zone. */
export interface DatedAuthor {
  readonly member: PrincipalId | undefined;
  readonly timezone: string | null;
}

/**
 * True while an open run is open for a person. The person's own time zone counts if the run uses each
 * member's, or else the team's.
 */
export function isRunStillOpenFor(
  run: TimedRun,
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

/** Returns the time zone of a standup's date: the team's, or the author's if it uses each member's. */
function findStandupZone(team: TimedTeam, own: string | null): string {
  return team.schedule?.clock === 'member' ? (own ?? team.timezone) : team.timezone;
}

/**
 * Returns the current date in the team's time zone, or in the author's if the team uses each member's. `own`:
 * the author's time zone, or null.
 */
export function findTeamToday(team: TimedTeam, own: string | null, zones: Zones, now: number): string {
  return zones.dayIn(findStandupZone(team, own), now);
}

/** Returns yesterday's run if its schedule still has it open: its date and its opening (ms). */
export function findYesterdaysOpenRun(
  team: Pick<Team, 'timezone' | 'schedule' | 'paused'>,
  own: string | null,
  zones: Zones,
  now: number,
): {readonly date: string; readonly opens: number} | undefined {
  const {schedule, paused} = team;
  if (schedule === null || paused) return undefined;
  const date = addDays(findTeamToday(team, own, zones, now), -1);
  if (!isRunDay(schedule, date)) return undefined;
  const {opens, closes} = runWindowOf(schedule, date, findStandupZone(team, own), zones);
  return now < closes ? {date, opens} : undefined;
}

/** The maximum number of days from tomorrow to the date of a standup. A schedule may begin years ahead. */
const mostAhead = 90;

/** Returns the last date of a standup: tomorrow, or that of the team's next run if it is near. */
export function findLastStandupDate(team: TimedTeam, own: string | null, zones: Zones, now: number): string {
  const tomorrow = addDays(findTeamToday(team, own, zones, now), 1);
  if (team.schedule === null) return tomorrow;
  const next = findNextRunDay(team.schedule, tomorrow);
  return next <= addDays(tomorrow, mostAhead) ? next : tomorrow;
}
