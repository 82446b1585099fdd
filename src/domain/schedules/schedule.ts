import {addDays} from '../core/dates.js';
import {parseMinuteOfDay, type Zones} from '../core/zones.js';

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof weekdays)[number];

/** The dates on which a team has a run, as a subset of RFC 5545. */
export type Cadence =
  /** Every `interval` weeks. Weeks begin on Monday, and the first one is the week of `starts_on`. */
  | {readonly frequency: 'weekly'; readonly interval: number; readonly days: readonly Weekday[]}
  /** On the n-th such weekday of each month; -1 for the last. */
  | {readonly frequency: 'monthly'; readonly nth: 1 | 2 | 3 | 4 | -1; readonly day: Weekday};

/** The times at which a team's runs open, remind and close. All of them are local times. */
export type Schedule = Cadence & {
  /** The opening as `HH:MM` on the date of the run. */
  readonly opens: string;
  /** The closing as `HH:MM`. If it is not later than `opens`, it is on the following day. */
  readonly closes: string;
  /**
   * The times at which members who have not posted are reminded, in minutes before closing. The earliest
   * reminder comes first.
   */
  readonly reminders: readonly number[];
  /**
   * The clock that shows these times: in the team's time zone, or in each member's own (the team's for
   * members without one).
   */
  readonly clock: 'team' | 'member';
  /** The first date on which a run is possible. */
  readonly starts_on: string;
};

/** A schedule in a request. Defaults: every week, the team's time zone, the usual reminder, from today on. */
export type NewSchedule = (
  | {readonly frequency: 'weekly'; readonly interval?: number | undefined; readonly days: readonly Weekday[]}
  | Extract<Cadence, {frequency: 'monthly'}>
) & {
  readonly opens: string;
  readonly closes: string;
  readonly reminders?: readonly number[] | undefined;
  readonly clock?: Schedule['clock'] | undefined;
  readonly starts_on?: string | undefined;
};

/**
 * Returns the schedule in its stored form, with defaults for missing fields. `today` is in the team's time
 * zone.
 */
export function completeSchedule(given: NewSchedule, today: string): Schedule {
  const {opens, closes, reminders = listUsualReminders(given), clock = 'team', starts_on = today} = given;
  const times = {opens, closes, reminders: reminders.toSorted((a, b) => b - a), clock, starts_on};
  if (given.frequency === 'monthly') return {frequency: 'monthly', nth: given.nth, day: given.day, ...times};
  const days = weekdays.filter((day) => given.days.includes(day));
  return {frequency: 'weekly', interval: given.interval ?? 1, days, ...times};
}

/** The default reminder, in minutes before closing. */
export const usualReminder = 15;

/** Returns the default reminders. A run that is open for less time has none. */
export function listUsualReminders(times: Pick<Schedule, 'opens' | 'closes'>): readonly number[] {
  return countMinutesRunIsOpen(times) < usualReminder ? [] : [usualReminder];
}

/**
 * Returns for how many minutes a run is open. 0 means that it would close as it opens, which is not allowed.
 */
export function countMinutesRunIsOpen({opens, closes}: Pick<Schedule, 'opens' | 'closes'>): number {
  return (parseMinuteOfDay(closes) - parseMinuteOfDay(opens) + 1_440) % 1_440;
}

/** The time for which a closed run still accepts late standups. */
export type LatePolicy =
  | {readonly accept: 'always'}
  | {readonly accept: 'never'}
  | {readonly accept: 'until'; readonly minutes: number};

/**
 * `opening`: when the run opens. `before_closing`: at the reminders of the schedule. `both`: at all of these
 * times.
 */
export type PromptAt = 'opening' | 'before_closing' | 'both';

export const promptTimes = ['opening', 'before_closing', 'both'] as const satisfies readonly PromptAt[];

/** The instants (ms) at which a run opens, reminds and closes for people in the same time zone. */
export interface Window {
  readonly opens: number;
  readonly closes: number;
  /** The reminders in the order of the schedule. None is before the opening. */
  readonly reminders: readonly number[];
}

/** Returns the instants (ms) at which a person who chose these times is asked in a run. */
export function listPromptInstants({opens, reminders}: Window, at: PromptAt): readonly number[] {
  if (at === 'before_closing') return reminders;
  return at === 'opening' ? [opens] : [opens, ...reminders.filter((due) => due > opens)];
}

/** True when the schedule has a run on this date. */
export function isRunDay(schedule: Schedule, date: string): boolean {
  if (date < schedule.starts_on) return false;
  const day = findWeekday(date);
  if (schedule.frequency === 'monthly')
    return day === schedule.day && isNthWeekdayOfMonth(date, schedule.nth);
  if (!schedule.days.includes(day)) return false;
  const weeks = (computeMondayDayNumber(date) - computeMondayDayNumber(schedule.starts_on)) / 7;
  return weeks % schedule.interval === 0;
}

/** Returns the first run date on or after `from`. It is always less than two years ahead. */
export function findNextRunDay(schedule: Schedule, from: string): string {
  let date = from < schedule.starts_on ? schedule.starts_on : from;
  while (!isRunDay(schedule, date)) date = addDays(date, 1);
  return date;
}

/** Returns the times of a date's run in one time zone. */
export function runWindowOf(schedule: Schedule, date: string, timezone: string, zones: Zones): Window {
  const minutes = parseMinuteOfDay(schedule.closes) - parseMinuteOfDay(schedule.opens);
  const overnight = minutes <= 0;
  const opens = zones.instantOf(timezone, date, schedule.opens);
  const closing = zones.instantOf(timezone, overnight ? addDays(date, 1) : date, schedule.closes);
  // A clock change may skip both times, which would leave no time for the run.
  const closes = closing > opens ? closing : opens + minutes * minuteMs;
  return {
    opens,
    closes,
    reminders: schedule.reminders.map((minutes) => Math.max(opens, closes - minutes * minuteMs)),
  };
}

export function findWeekday(date: string): Weekday {
  return weekdays[(new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7] ?? 'mon';
}

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** Returns the Monday of a date's week, in days since the epoch. */
function computeMondayDayNumber(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / dayMs - weekdays.indexOf(findWeekday(date));
}

function isNthWeekdayOfMonth(date: string, nth: number): boolean {
  const month = date.slice(0, 7);
  if (nth === -1) return !addDays(date, 7).startsWith(month);
  return Math.ceil(Number(date.slice(8)) / 7) === nth;
}
