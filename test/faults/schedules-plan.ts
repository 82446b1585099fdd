import {Temporal} from 'temporal-polyfill';
import type {NewSchedule, PromptAt} from '../../src/domain/schedules/schedule.js';
import type {Weekday} from '../../src/domain/core/dates.js';
import type {ReminderChoice} from '../../src/domain/workspaces/workspace.js';
import type {Chance} from '../support/seeded-random.js';

/**
 * Time zones of the plan. Half of them change their clocks in the northern spring, at six different instants.
 * Two have an offset with half an hour.
 */
export const timezones = [
  'Europe/Berlin',
  'Europe/London',
  'America/New_York',
  'America/Los_Angeles',
  'America/Santiago',
  'America/Sao_Paulo',
  'Africa/Cairo',
  'Asia/Kolkata',
  'Asia/Tokyo',
  'Australia/Sydney',
  'Australia/Lord_Howe',
  'Pacific/Auckland',
] as const;

const workdays: readonly Weekday[] = ['mon', 'tue', 'wed', 'thu', 'fri'];

/**
 * Public holidays from 2027-02-22 to 2027-05-24, copied by hand from published calendars:
 * gov.uk/bank-holidays for England, the interior ministries of Germany for its states, the Cabinet Office of
 * Japan. Easter Sunday is 2027-03-28.
 */
export const publicHolidays: Readonly<Record<string, readonly string[]>> = {
  DE: ['2027-03-26', '2027-03-29', '2027-05-01', '2027-05-06', '2027-05-17'],
  'GB/ENG': ['2027-03-26', '2027-03-29', '2027-05-03'],
  JP: ['2027-02-23', '2027-03-21', '2027-03-22', '2027-04-29', '2027-05-03', '2027-05-04', '2027-05-05'],
};

export interface PlannedPerson {
  readonly name: string;
  readonly user: string;
  readonly timezone: string | null;
  readonly reminders: ReminderChoice;
  /** First and last day of an absence that is entered before the start, both included. */
  readonly away: {readonly from: string; readonly until: string} | undefined;
  /** A key of `publicHolidays`, or the index of one of the plan's calendars. */
  readonly holidays: string | number | undefined;
}

export type PlannedSchedule = NewSchedule & {
  readonly reminders: readonly number[];
  readonly starts_on: string;
  readonly clock: 'team' | 'member';
};

export interface PlannedTeam {
  readonly slug: string;
  readonly timezone: string;
  readonly schedule: PlannedSchedule;
  readonly people: readonly PlannedPerson[];
  readonly channel: string;
  /** Form in which the team's Slack channel shows standups. */
  readonly mode: 'thread' | 'channel' | 'digest';
  readonly digest: 'thread' | 'channel' | 'off';
  readonly namesMissing: boolean;
  readonly promptAt: PromptAt;
}

export interface CompanyPlan {
  readonly teams: readonly PlannedTeam[];
  readonly people: readonly PlannedPerson[];
  /** Days off in calendars that the workspace has created. */
  readonly calendars: readonly (readonly string[])[];
}

/**
 * Generates teams with all kinds of schedules. Some people are in two teams, away, on holiday, or without
 * reminders.
 */
export function generatePlan(
  chance: Chance,
  size: {readonly teams: number; readonly people: number; readonly days: number; readonly startsOn: string},
): CompanyPlan {
  const isOneIn = (many: number) => chance.between(1, many) === 1;
  const randomDay = () => addDays(size.startsOn, chance.between(0, size.days));
  const calendars = [0, 1, 2].map(() => [
    ...new Set(Array.from({length: 1 + Math.ceil(size.days / 15)}, randomDay)),
  ]);
  const people = Array.from({length: size.people}, (_, i): PlannedPerson => {
    const from = randomDay();
    return {
      name: `Person ${i}`,
      user: `U${String(i).padStart(8, '0')}`,
      timezone: isOneIn(8) ? null : timezoneOf(isOneIn(3) ? chance.between(0, 11) : i % size.teams),
      reminders: {
        enabled: !isOneIn(20),
        prompt_at: isOneIn(5) ? chance.pick(['opening', 'before_closing', 'both']) : null,
        ...(isOneIn(12)
          ? {quiet_from: '21:00', quiet_until: '05:00'}
          : {quiet_from: null, quiet_until: null}),
        channels: ['slack', 'mail'],
      },
      away: isOneIn(6) ? {from, until: addDays(from, chance.between(0, 9))} : undefined,
      holidays: isOneIn(2) ? undefined : chance.pick([...Object.keys(publicHolidays), 0, 1, 2]),
    };
  });
  const teams = Array.from({length: size.teams}, (_, i): PlannedTeam => {
    const own = people.filter((_person, index) => index % size.teams === i);
    const guests = people.filter((person) => !own.includes(person) && isOneIn(10 * size.teams));
    return {
      slug: `team-${i}`,
      timezone: timezoneOf(i),
      schedule: generateSchedule(chance, size.startsOn),
      people: [...own, ...guests],
      channel: `C${String(i).padStart(8, '0')}`,
      mode: chance.pick(['thread', 'channel', 'digest', 'digest', 'digest', 'digest']),
      digest: chance.pick(['thread', 'thread', 'thread', 'channel', 'channel', 'off']),
      namesMissing: !isOneIn(4),
      promptAt: chance.pick(['before_closing', 'before_closing', 'opening', 'both']),
    };
  });
  return {teams, people, calendars};
}

function timezoneOf(i: number): string {
  return timezones[i % timezones.length] ?? 'UTC';
}

/** Generates a schedule whose steps are due at a full or half hour in each of the time zones. */
export function generateSchedule(chance: Chance, startsOn: string): PlannedSchedule {
  const times = chance.pick([
    {opens: '09:00', closes: '11:00', reminders: [60]},
    {opens: '09:00', closes: '11:00', reminders: [60, 30]},
    {opens: '10:00', closes: '17:00', reminders: [120]},
    {opens: '22:00', closes: '06:00', reminders: [120]},
  ]);
  const clock = chance.between(1, 5) === 1 ? ('member' as const) : ('team' as const);
  const common = {...times, clock, starts_on: startsOn};
  const kind = chance.between(1, 20);
  if (kind === 1) return {frequency: 'monthly', nth: chance.pick([1, 2, 3, 4, -1]), day: 'tue', ...common};
  if (kind <= 5) return {frequency: 'weekly', interval: 2, days: ['tue', 'thu'], ...common};
  if (kind <= 8) return {frequency: 'weekly', days: ['mon', 'wed', 'fri'], ...common};
  return {frequency: 'weekly', days: workdays, ...common};
}

export function hasRun(schedule: PlannedSchedule, date: string): boolean {
  if (date < schedule.starts_on) return false;
  const day = Temporal.PlainDate.from(date);
  const name = [...workdays, 'sat', 'sun'][day.dayOfWeek - 1] as Weekday;
  if (schedule.frequency === 'monthly') {
    if (name !== schedule.day) return false;
    return schedule.nth === -1 ? day.day > day.daysInMonth - 7 : Math.ceil(day.day / 7) === schedule.nth;
  }
  const start = Temporal.PlainDate.from(schedule.starts_on);
  const monday = start.subtract({days: start.dayOfWeek - 1});
  const weeks = Math.floor(monday.until(day, {largestUnit: 'days'}).days / 7);
  return schedule.days.includes(name) && weeks % (schedule.interval ?? 1) === 0;
}

const instants = new Map<string, number>();

/**
 * Returns the instant of a local time (ms), by Temporal's `compatible` rule: a skipped time moves by the
 * length of the gap, and of a repeated time the first is used.
 */
export function instantIn(timezone: string, date: string, time: string): number {
  const key = `${timezone} ${date}T${time}`;
  const known = instants.get(key);
  if (known !== undefined) return known;
  const found = Temporal.PlainDateTime.from(`${date}T${time}`).toZonedDateTime(timezone).epochMilliseconds;
  instants.set(key, found);
  return found;
}

export function dateIn(timezone: string, ms: number): string {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timezone).toPlainDate().toString();
}

export function addDays(date: string, days: number): string {
  return Temporal.PlainDate.from(date).add({days}).toString();
}

/**
 * Returns the end of a person's quiet hours if an instant (ms) is within them, otherwise the instant. All
 * quiet hours of the plan include midnight.
 */
export function endOfQuiet(
  {quiet_from: from, quiet_until: until}: ReminderChoice,
  timezone: string,
  ms: number,
) {
  if (from === null || until === null) return ms;
  const local = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timezone);
  const time = local.toPlainTime().toString().slice(0, 5);
  const date = local.toPlainDate().toString();
  if (time < until) return instantIn(timezone, date, until);
  return time >= from ? instantIn(timezone, addDays(date, 1), until) : ms;
}
