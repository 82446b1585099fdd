import {addDays} from '../core/dates.js';
import {minuteOfDay, type Zones} from '../core/zones.js';

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof weekdays)[number];

/** The dates on which a team has a run: a part of what RFC 5545 can express. */
export type Cadence =
  /** Every `interval` weeks, counted in weeks from Monday on, from the week of `starts_on`. */
  | {readonly frequency: 'weekly'; readonly interval: number; readonly days: readonly Weekday[]}
  /** On the n-th such day of each month, -1 for the last. */
  | {readonly frequency: 'monthly'; readonly nth: 1 | 2 | 3 | 4 | -1; readonly day: Weekday};

/** When a team's runs open, remind and close. All times are wall-clock times. */
export type Schedule = Cadence & {
  /** `HH:MM` on the date of the run. */
  readonly opens: string;
  /** `HH:MM`; when it is not after `opens`, on the day after. */
  readonly closes: string;
  /** Minutes before closing at which members who have not posted are reminded, the earliest first. */
  readonly reminders: readonly number[];
  /** The clocks that count: the team's zone, or each member's own (the team's for members who have none). */
  readonly clock: 'team' | 'member';
  /** No run before this date. */
  readonly starts_on: string;
};

/** A schedule as requested. Defaults: every week, the team's clock, the usual reminder, from today on. */
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

/** The schedule in its stored form, with defaults for omitted members; `today` is in the team's zone. */
export function completeSchedule(given: NewSchedule, today: string): Schedule {
  const {opens, closes, reminders = usualReminders(given), clock = 'team', starts_on = today} = given;
  const times = {opens, closes, reminders: reminders.toSorted((a, b) => b - a), clock, starts_on};
  if (given.frequency === 'monthly') return {frequency: 'monthly', nth: given.nth, day: given.day, ...times};
  const days = weekdays.filter((day) => given.days.includes(day));
  return {frequency: 'weekly', interval: given.interval ?? 1, days, ...times};
}

/** The default, in minutes before closing. */
export const usualReminder = 15;

/** None for a run that is open for less. */
export function usualReminders(times: Pick<Schedule, 'opens' | 'closes'>): readonly number[] {
  return minutesRunIsOpen(times) < usualReminder ? [] : [usualReminder];
}

/** 0 when a run would close as it opens, which no schedule allows. */
export function minutesRunIsOpen({opens, closes}: Pick<Schedule, 'opens' | 'closes'>): number {
  return (minuteOfDay(closes) - minuteOfDay(opens) + 1_440) % 1_440;
}

/** How long after its closing a run takes standups. */
export type LatePolicy =
  | {readonly accept: 'always'}
  | {readonly accept: 'never'}
  | {readonly accept: 'until'; readonly minutes: number};

/**
 * `opening`: when the run opens; `before_closing`: at the reminders of the schedule; `both`: at all of
 * these.
 */
export type PromptAt = 'opening' | 'before_closing' | 'both';

export const promptTimes = ['opening', 'before_closing', 'both'] as const satisfies readonly PromptAt[];

/** When one run opens, reminds and closes for people who share a zone; in ms. */
export interface Window {
  readonly opens: number;
  readonly closes: number;
  /** In the order of the schedule; none before the run opens. */
  readonly reminders: readonly number[];
}

/** The instants (ms) at which a person who chose these times is asked in a run. */
export function promptInstants({opens, reminders}: Window, at: PromptAt): readonly number[] {
  if (at === 'before_closing') return reminders;
  return at === 'opening' ? [opens] : [opens, ...reminders.filter((due) => due > opens)];
}

/** True when the schedule has a run of this date. */
export function isRunDay(schedule: Schedule, date: string): boolean {
  if (date < schedule.starts_on) return false;
  const day = weekdayOf(date);
  if (schedule.frequency === 'monthly')
    return day === schedule.day && isNthWeekdayOfMonth(date, schedule.nth);
  if (!schedule.days.includes(day)) return false;
  const weeks = (mondayDayNumber(date) - mondayDayNumber(schedule.starts_on)) / 7;
  return weeks % schedule.interval === 0;
}

/** The first date from `from` on with a run: always less than two years ahead. */
export function nextRunDay(schedule: Schedule, from: string): string {
  let date = from < schedule.starts_on ? schedule.starts_on : from;
  while (!isRunDay(schedule, date)) date = addDays(date, 1);
  return date;
}

/** The run of a date by the clocks of one zone. */
export function runWindowOf(schedule: Schedule, date: string, timezone: string, zones: Zones): Window {
  const minutes = minuteOfDay(schedule.closes) - minuteOfDay(schedule.opens);
  const overnight = minutes <= 0;
  const opens = zones.instantOf(timezone, date, schedule.opens);
  const closing = zones.instantOf(timezone, overnight ? addDays(date, 1) : date, schedule.closes);
  // Clocks that jump over both would leave a run without any time.
  const closes = closing > opens ? closing : opens + minutes * minuteMs;
  return {
    opens,
    closes,
    reminders: schedule.reminders.map((minutes) => Math.max(opens, closes - minutes * minuteMs)),
  };
}

export function weekdayOf(date: string): Weekday {
  return weekdays[(new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7] ?? 'mon';
}

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** Days since the epoch of the Monday of a week. */
function mondayDayNumber(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / dayMs - weekdays.indexOf(weekdayOf(date));
}

function isNthWeekdayOfMonth(date: string, nth: number): boolean {
  const month = date.slice(0, 7);
  if (nth === -1) return !addDays(date, 7).startsWith(month);
  return Math.ceil(Number(date.slice(8)) / 7) === nth;
}
