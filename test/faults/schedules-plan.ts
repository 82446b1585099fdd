import {Temporal} from 'temporal-polyfill';
import type {NewSchedule, Weekday} from '../../src/domain/schedule.js';
import type {ReminderChoice} from '../../src/domain/workspace.js';
import type {Chance} from '../support/seeded-random.js';

/** Half of them change their clocks within a northern spring, at six different instants; two are half an hour off. */
const timezones = [
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

export interface PlannedPerson {
  readonly name: string;
  readonly user: string;
  readonly timezone: string | null;
  readonly reminders: ReminderChoice;
  /** Days of an absence, both inclusive. */
  readonly away: {readonly from: string; readonly until: string} | undefined;
}

export interface PlannedTeam {
  readonly slug: string;
  readonly timezone: string;
  readonly schedule: NewSchedule & {readonly reminders: readonly number[]; readonly starts_on: string};
  readonly people: readonly PlannedPerson[];
}

export interface Plan {
  readonly teams: readonly PlannedTeam[];
  readonly people: readonly PlannedPerson[];
}

/** Teams of all kinds of schedules, and people of whom some are in two teams, away, or want no reminders. */
export function drawPlan(
  chance: Chance,
  size: {readonly teams: number; readonly people: number; readonly days: number; readonly startsOn: string},
): Plan {
  const isOneIn = (many: number) => chance.between(1, many) === 1;
  const people = Array.from({length: size.people}, (_, i): PlannedPerson => {
    const from = addDays(size.startsOn, chance.between(0, size.days));
    return {
      name: `Person ${i}`,
      user: `U${String(i).padStart(8, '0')}`,
      timezone: isOneIn(8) ? null : timezoneOf(isOneIn(3) ? chance.between(0, 11) : i % size.teams),
      reminders: {
        enabled: !isOneIn(20),
        ...(isOneIn(12)
          ? {quiet_from: '21:00', quiet_until: '05:00'}
          : {quiet_from: null, quiet_until: null}),
      },
      away: isOneIn(6) ? {from, until: addDays(from, chance.between(0, 9))} : undefined,
    };
  });
  const teams = Array.from({length: size.teams}, (_, i): PlannedTeam => {
    const own = people.filter((_person, place) => place % size.teams === i);
    const guests = people.filter((person) => !own.includes(person) && isOneIn(10 * size.teams));
    return {
      slug: `team-${i}`,
      timezone: timezoneOf(i),
      schedule: drawSchedule(chance, size.startsOn),
      people: [...own, ...guests],
    };
  });
  return {teams, people};
}

function timezoneOf(i: number): string {
  return timezones[i % timezones.length] ?? 'UTC';
}

function drawSchedule(chance: Chance, startsOn: string): PlannedTeam['schedule'] {
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

/** A run as it has to come. All instants in ms. */
export interface ExpectedRun {
  readonly team: PlannedTeam;
  readonly date: string;
  readonly opens: number;
  readonly closes: number;
  readonly parts: readonly ExpectedPart[];
}

/** A run as it is for one person. */
export interface ExpectedPart {
  readonly person: PlannedPerson;
  readonly opens: number;
  readonly closes: number;
  readonly reminders: readonly number[];
  readonly isAway: boolean;
  /** When they post for it, once everything that is due then is done. */
  readonly posts: number | undefined;
}

/**
 * Every run that opens between two instants, worked out from the plan alone: days are walked through one by one, and clocks are read by
 * Temporal itself. It shares no code with the service.
 */
export function expectRuns(
  plan: Plan,
  [from, until]: readonly [number, number],
  chance: Chance,
): ExpectedRun[] {
  const runs: ExpectedRun[] = [];
  const last = addDays(dateIn('UTC', until), 2);
  for (const team of plan.teams) {
    for (let date = team.schedule.starts_on; date <= last; date = addDays(date, 1)) {
      if (!hasRun(team.schedule, date)) continue;
      const parts = team.people.map((person) => expectPart(team, person, date, chance));
      const opens = Math.min(...parts.map((part) => part.opens));
      const closes = Math.max(...parts.map((part) => part.closes));
      if (opens > from && opens <= until) runs.push({team, date, opens, closes, parts});
    }
  }
  return runs;
}

function hasRun(schedule: PlannedTeam['schedule'], date: string): boolean {
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

function expectPart(team: PlannedTeam, person: PlannedPerson, date: string, chance: Chance): ExpectedPart {
  const {opens, closes, reminders, clock} = team.schedule;
  const timezone = clock === 'member' ? (person.timezone ?? team.timezone) : team.timezone;
  const opensAt = instantIn(timezone, date, opens);
  const closesAt = instantIn(timezone, closes > opens ? date : addDays(date, 1), closes);
  const reminded = reminders.map((minutes) => closesAt - minutes * 60_000);
  const {away} = person;
  const isAway = away !== undefined && away.from <= date && date <= away.until;
  const kind = chance.between(1, 20);
  const posting = kind <= 5 ? opensAt : kind <= 9 ? reminded[0] : kind === 10 ? closesAt : undefined;
  return {
    person,
    opens: opensAt,
    closes: closesAt,
    reminders: reminded,
    isAway,
    posts: isAway ? undefined : posting,
  };
}

/** A direct message that somebody has to get: the date of theirs that it is of, and when. */
export interface ExpectedPrompt {
  readonly person: PlannedPerson;
  readonly date: string;
  readonly at: number;
}

/**
 * Who has to get a message, one for each person and date, as far as it is due until an instant. `outages`: when no process ran; what was
 * due then is due at their ends.
 */
export function expectPrompts(
  runs: readonly ExpectedRun[],
  until: number,
  outages: readonly (readonly [from: number, until: number])[],
): ExpectedPrompt[] {
  const prompts = new Map<string, ExpectedPrompt>();
  for (const {team, parts} of runs) {
    for (const {person, closes, reminders, isAway, posts} of parts) {
      if (isAway || !person.reminders.enabled) continue;
      const timezone = person.timezone ?? team.timezone;
      for (const reminder of reminders) {
        const acts = endOf(reminder, outages);
        if (posts !== undefined && posts < reminder) continue;
        const quiet = endOfQuiet(person, timezone, acts);
        const at = endOf(quiet, outages);
        // Who has posted before the end of their quiet hours needs no reminder any more.
        if (quiet >= closes || at > until || (posts !== undefined && posts < at && quiet > acts)) continue;
        const date = dateIn(timezone, acts);
        const known = prompts.get(`${person.user} ${date}`);
        if (known === undefined || at < known.at) prompts.set(`${person.user} ${date}`, {person, date, at});
      }
    }
  }
  return [...prompts.values()];
}

function endOf(ms: number, outages: readonly (readonly [number, number])[]): number {
  return outages.find(([from, until]) => from <= ms && ms < until)?.[1] ?? ms;
}

function endOfQuiet({reminders}: PlannedPerson, timezone: string, ms: number): number {
  const {quiet_from: from, quiet_until: until} = reminders;
  if (from === null || until === null) return ms;
  const local = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timezone);
  const time = local.toPlainTime().toString().slice(0, 5);
  const date = local.toPlainDate().toString();
  // Over midnight, as all quiet hours of the plan are.
  if (time < until) return instantIn(timezone, date, until);
  return time >= from ? instantIn(timezone, addDays(date, 1), until) : ms;
}

export function instantIn(timezone: string, date: string, time: string): number {
  return Temporal.PlainDateTime.from(`${date}T${time}`).toZonedDateTime(timezone).epochMilliseconds;
}

export function dateIn(timezone: string, ms: number): string {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timezone).toPlainDate().toString();
}

function addDays(date: string, days: number): string {
  return Temporal.PlainDate.from(date).add({days}).toString();
}
