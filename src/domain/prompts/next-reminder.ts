import type {DayOff} from '../absences/absence.js';
import {addDays} from '../core/dates.js';
import {findEndOfQuietHours} from './prompt.js';
import type {Run} from '../runs/run.js';
import {
  listPromptInstants,
  isRunDay,
  type PromptAt,
  type Schedule,
  type Window,
  runWindowOf,
} from '../schedules/schedule.js';
import type {Team} from '../teams/team.js';
import {type Member, findPromptTime, type ReminderChoice} from '../workspaces/workspace.js';
import type {Zones} from '../core/zones.js';
import type {Id} from '../core/ids.js';

/** A person's next reminder, or the reason why there is none. */
export type NextReminder =
  /** There is a reminder. `at` is in ms. */
  | {readonly kind: 'reminder'; readonly at: number; readonly date: string; readonly team: Team}
  /** The person has turned reminders off. */
  | {readonly kind: 'off'}
  /** The person is away. `until`: the last day of the absence; null when it is unknown. */
  | {readonly kind: 'away'; readonly until: string | null}
  /** None of the person's teams has reminders. */
  | {readonly kind: 'no-reminders'}
  /** The person's teams have reminders, but none for this person in the next days. */
  | {readonly kind: 'none-soon'};

/** A team of the member, with its open and closed runs since two days ago. */
export interface RemindingTeam {
  readonly team: Team;
  readonly runs: readonly Run[];
}

export interface KnownOfMember {
  hasPosted: (team: Id<'team'>, date: string) => boolean;
  findDayOff: (date: string, team: Id<'team'>) => DayOff | undefined;
}

/** The number of days to look ahead. */
export const lookAheadDays = 14;

interface OwnRun {
  readonly team: Team;
  readonly date: string;
  readonly window: Window;
  /** The time zone for the quiet hours of a person without a time zone. */
  readonly timezone: string;
}

/** True when the schedule of the team or of an open run reminds people who chose these times. */
function hasReminders({team: {paused, schedule}, runs}: RemindingTeam, at: PromptAt): boolean {
  const schedules = [schedule, ...runs.filter(({state}) => state === 'open').map((run) => run.schedule)];
  const isAsked = (one: Schedule) => at !== 'before_closing' || one.reminders.length > 0;
  return !paused && schedules.some((one) => one !== null && isAsked(one));
}

/**
 * Finds the next reminder of a member over all their teams, by the rules for sending. Posted runs and days
 * off have none. A reminder in quiet hours comes at their end, unless the run is over by then. Of several at
 * the same instant, the first team's counts.
 */
export function findNextReminder(
  member: Pick<Member, 'id' | 'timezone'> & {readonly reminders: Omit<ReminderChoice, 'channels'>},
  teams: readonly RemindingTeam[],
  {hasPosted, findDayOff}: KnownOfMember,
  now: number,
  zones: Zones,
): NextReminder {
  if (!member.reminders.enabled) return {kind: 'off'};
  const reminding = teams.filter((one) => hasReminders(one, findPromptTime(member, one.team)));
  if (reminding.length === 0) return {kind: 'no-reminders'};
  const times = reminding
    .flatMap((team) => listOwnRuns(member, team, now, zones))
    .flatMap(({team, date, window, timezone}) =>
      listPromptInstants(window, findPromptTime(member, team))
        .map((due) => findEndOfQuietHours(member.reminders, member.timezone ?? timezone, due, zones))
        .filter((at) => at > now && at < window.closes)
        .map((at) => ({at, team, date})),
    )
    .filter(({team, date}) => !hasPosted(team.id, date))
    .toSorted((a, b) => a.at - b.at);
  const offs: (DayOff | undefined)[] = [];
  for (const time of times) {
    const off = findDayOff(time.date, time.team.id);
    if (off === undefined) return {kind: 'reminder', ...time};
    offs.push(off);
  }
  for (const {team} of reminding) {
    offs.push(findDayOff(zones.dayIn(member.timezone ?? team.timezone, now), team.id));
  }
  const away = offs.find((off) => off?.status === 'away');
  return away === undefined ? {kind: 'none-soon'} : {kind: 'away', until: away.until};
}

/** Lists the open runs, with the schedules at their openings, and the next runs of the schedule. */
function listOwnRuns(
  {id, timezone: own}: Pick<Member, 'id' | 'timezone'>,
  {team, runs}: RemindingTeam,
  now: number,
  zones: Zones,
): OwnRun[] {
  const found: OwnRun[] = [];
  for (const {date, state, schedule, timezone, participants} of runs) {
    const participant = participants.find(({member}) => member === id);
    // A member who joined after the run's opening is not expected.
    if (state !== 'open' || schedule === null || participant === undefined) continue;
    const window = runWindowOf(schedule, date, participant.timezone ?? timezone, zones);
    found.push({team, date, window, timezone});
  }
  const {schedule, timezone} = team;
  if (schedule === null) return found;
  const taken = new Set(runs.map(({date}) => date));
  const clocks = schedule.clock === 'member' ? (own ?? timezone) : timezone;
  const today = zones.dayIn('UTC', now);
  for (let days = -1; days <= lookAheadDays; days += 1) {
    const date = addDays(today, days);
    if (taken.has(date) || !isRunDay(schedule, date)) continue;
    const window = runWindowOf(schedule, date, clocks, zones);
    // A run in the past that was not opened is from before the schedule existed.
    if (window.opens > now) found.push({team, date, window, timezone});
  }
  return found;
}
