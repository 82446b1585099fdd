import {addDays, isCalendarDate} from '../domain/core/dates.js';
import type {HolidayDay, ReadCalendarFile} from '../domain/absences/holidays.js';
import {limits} from '../domain/core/limits.js';
import {type Weekday, weekdayOf, weekdays} from '../domain/schedules/schedule.js';

/** What of an event decides, as the file has it. */
interface FileEvent {
  readonly line: number;
  readonly uid: string;
  readonly name: string;
  /** First day, and how many whole ones; none for what is over in less than a day. */
  readonly first: string;
  readonly length: number;
  readonly rule: Readonly<Record<string, unknown>> | undefined;
  readonly without: ReadonlySet<string>;
  readonly further: readonly string[];
  /** Of an event that stands in place of one repetition: the day of that. */
  readonly replaces: string | undefined;
}

class Fault extends Error {}

/** Many programs write a day without `VALUE=DATE`. */
const bareDate = /^((?:DTSTART|DTEND|EXDATE|RDATE|RECURRENCE-ID))(:\d{8}(?:,\d{8})*[^\S\r\n]*)$/gim;

/** No event of a calendar of holidays is as long. */
const longest = 31;
/** Parts of rules and dates of repetitions that are looked at for one event, and these and days off for a file. */
const mostRepeats = 2_000;
const mostInFile = 10_000;

/**
 * Reads an iCalendar file (RFC 5545). Whole days count, of events with times those that they cover from midnight to midnight by their own
 * clock. Of repetitions yearly ones are understood (INTERVAL, COUNT, UNTIL, BYMONTH, BYMONTHDAY, BYDAY), with RDATE, EXDATE and replaced
 * occurrences; they are counted by us, so that no rule can go on for ever.
 */
export const readCalendarFile: ReadCalendarFile = async (file, time) => {
  try {
    const events = await parseEvents(file);
    const days = new Map<string, string>();
    const replaced = listReplaced(events);
    const budget = {left: mostInFile};
    for (const event of events) {
      for (const begin of beginnings(event, replaced.get(event.uid), time, budget)) {
        if (begin > time.until || addDays(begin, event.length) < time.from) continue;
        budget.left -= event.length;
        if (budget.left < 0) throw new Fault('has too many days off');
        for (let i = 0; i < event.length; i++) {
          const date = addDays(begin, i);
          if (date >= time.from && date <= time.until && !days.has(date)) days.set(date, event.name);
        }
      }
    }
    if (days.size > limits.holidayDays) {
      throw new Fault(
        `has ${days.size} days off from ${time.from} to ${time.until}; at most ${limits.holidayDays} are kept`,
      );
    }
    const sorted = [...days].map(([date, name]): HolidayDay => ({date, name}));
    return {days: sorted.toSorted((a, b) => a.date.localeCompare(b.date))};
  } catch (error) {
    if (error instanceof Fault) return {fault: error.message};
    throw error;
  }
};

async function parseEvents(file: string): Promise<FileEvent[]> {
  const {default: ICAL} = await import('ical.js');
  const lines = file.split(/\r?\n|\r/);
  const begins = lines.flatMap((line, i) => (/^BEGIN:VEVENT\s*$/i.test(line) ? [i + 1] : []));
  if (!lines.some((line) => /^BEGIN:VCALENDAR\s*$/i.test(line.replace(/^\uFEFF/, ''))))
    throw new Fault('is no iCalendar file: it has no line "BEGIN:VCALENDAR"');
  if (begins.length === 0) throw new Fault('has no event (VEVENT)');
  let parsed: unknown;
  try {
    parsed = ICAL.parse(file.replace(/^\uFEFF/, '').replaceAll(bareDate, '$1;VALUE=DATE$2'));
  } catch (error) {
    throw new Fault(`is no iCalendar file: ${whereOf(error, lines)}`);
  }
  // Of several calendars in a file the first is read.
  const root: unknown = Array.isArray(parsed) && Array.isArray(parsed[0]) ? parsed[0] : parsed;
  const component = new ICAL.Component(root as never);
  return component.getAllSubcomponents('vevent').flatMap((event, i) => {
    const line = begins[i] ?? 1;
    try {
      return readEvent(event, line);
    } catch (error) {
      // A value is parsed when it is asked for.
      if (error instanceof Fault || !(error instanceof Error)) throw error;
      throw new Fault(
        `line ${line}: the event that begins there cannot be read: ${error.message.slice(0, 160)}`,
      );
    }
  });

  function readEvent(event: InstanceType<typeof ICAL.Component>, line: number): FileEvent[] {
    const fail = (what: string): never => {
      throw new Fault(`line ${line}: the event that begins there ${what}`);
    };
    const isCancelled = event.getFirstPropertyValue('status') === 'CANCELLED';
    // Of a repetition that is cancelled by itself it has to be known which one.
    if (isCancelled && !event.hasProperty('recurrence-id')) return [];
    const start = event.getFirstPropertyValue('dtstart');
    if (!(start instanceof ICAL.Time)) return fail('has no DTSTART that can be read');
    const end = event.getFirstPropertyValue('dtend');
    const lasts = event.getFirstPropertyValue('duration');
    const rule = event.getFirstPropertyValue('rrule');
    const replaces = event.getFirstPropertyValue('recurrence-id');
    const datesOf = (name: string) =>
      event
        .getAllProperties(name)
        .flatMap((property) => property.getValues() as unknown[])
        .flatMap((value) => (value instanceof ICAL.Time ? [dateOf(value)] : []));
    const ends = end instanceof ICAL.Time ? end : undefined;
    if (lasts instanceof ICAL.Duration) {
      const seconds = lasts.toSeconds();
      if (seconds < 0 || seconds > longest * 86_400) return fail(`lasts longer than ${longest} days`);
    }
    const until = ends ?? (lasts instanceof ICAL.Duration ? plus(start.clone(), lasts) : undefined);
    const first = start.isDate || isMidnight(start) ? dateOf(start) : addDays(dateOf(start), 1);
    const afterLast =
      until === undefined
        ? start.isDate
          ? addDays(first, 1)
          : first
        : isLastMinute(until)
          ? addDays(dateOf(until), 1)
          : dateOf(until);
    if (![first, afterLast].every(isCalendarDate)) return fail('has a date that does not exist');
    const length = isCancelled ? 0 : Math.max(0, daysBetween(first, afterLast));
    if (length > longest) return fail(`lasts longer than ${longest} days`);
    const name = String(event.getFirstPropertyValue('summary') ?? '')
      .replaceAll(/\s+/g, ' ')
      .trim();
    const read = {
      line,
      uid: String(event.getFirstPropertyValue('uid') ?? ''),
      name: Array.from(name).slice(0, limits.name).join('') || 'Holiday',
      first,
      length,
      rule: rule instanceof ICAL.Recur ? (rule.toJSON() as Readonly<Record<string, unknown>>) : undefined,
      without: new Set(datesOf('exdate')),
      further: datesOf('rdate'),
      replaces: replaces instanceof ICAL.Time ? dateOf(replaces) : undefined,
    };
    return [read];
  }

  function plus<T extends {addDuration: (by: never) => void}>(from: T, by: unknown): T {
    from.addDuration(by as never);
    return from;
  }
}

/** By the name of an event, the days of its repetitions in whose place others stand. */
function listReplaced(events: readonly FileEvent[]): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const {uid, replaces} of events) {
    if (uid === '' || replaces === undefined) continue;
    const days = found.get(uid) ?? new Set();
    found.set(uid, days.add(replaces));
  }
  return found;
}

/** The days on which an event begins in a time, or shortly before. */
function beginnings(
  event: FileEvent,
  replaced: ReadonlySet<string> | undefined,
  time: {from: string; until: string},
  budget: {left: number},
): string[] {
  const repeats =
    event.replaces !== undefined || event.rule === undefined
      ? [event.first]
      : repeatYearly(event, event.rule, time, budget);
  return [...new Set([...repeats, ...event.further])].filter(
    (date) => event.replaces !== undefined || !(event.without.has(date) || replaced?.has(date) === true),
  );
}

const knownParts = new Set(['freq', 'interval', 'count', 'until', 'bymonth', 'bymonthday', 'byday', 'wkst']);

function repeatYearly(
  event: FileEvent,
  rule: Readonly<Record<string, unknown>>,
  {from, until: last}: {from: string; until: string},
  budget: {left: number},
): string[] {
  const fail = (what: string): never => {
    throw new Fault(`line ${event.line}: the event that begins there ${what}`);
  };
  if (rule['freq'] !== 'YEARLY') return fail('repeats, and not every year: only FREQ=YEARLY is understood');
  const unknown = Object.keys(rule).find((part) => !knownParts.has(part));
  if (unknown !== undefined) return fail(`repeats by ${unknown.toUpperCase()}, which is not understood`);
  const numbers = (part: string) => [...new Set([rule[part] ?? []].flat().map(Number))];
  const byDay = [...new Set([rule['byday'] ?? []].flat().map(String))];
  const [months, monthDays] = [numbers('bymonth'), numbers('bymonthday')];
  if (byDay.length > 0 && months.length === 0)
    return fail('repeats on days of the week (BYDAY) without a month (BYMONTH), which is not understood');
  const interval = Math.max(1, Number(rule['interval'] ?? 1));
  const count = rule['count'] === undefined ? Number.POSITIVE_INFINITY : Number(rule['count']);
  const {until} = rule;
  const untilRule = typeof until === 'string' ? until.slice(0, 10) : last;
  const begun = Number(event.first.slice(0, 4));
  // What nobody counts need not be gone through; one that begins in December may end in January.
  const ahead = Number(from.slice(0, 4)) - 1 - begun;
  const skipped = Number.isFinite(count) || ahead <= 0 ? 0 : Math.floor(ahead / interval) * interval;
  const found: string[] = [];
  let looked = 0;
  const spend = (cost: number): void => {
    looked += cost;
    budget.left -= cost;
    if (looked > mostRepeats || budget.left < 0) fail('repeats too often to be a holiday');
  };
  for (let year = begun + skipped; startOf(year, 1) <= last; year += interval) {
    spend(Math.max(1, months.length) * Math.max(1, monthDays.length + byDay.length));
    const ofYear = (months.length > 0 ? months : [Number(event.first.slice(5, 7))])
      .flatMap((month) => daysOfMonth(year, month, monthDays, byDay, event.first))
      .toSorted();
    for (const date of ofYear) {
      if (date < event.first) continue;
      if (date > untilRule || date > last || found.length >= count) return found;
      found.push(date);
    }
    spend(ofYear.length);
  }
  return found;
}

function daysOfMonth(
  year: number,
  month: number,
  monthDays: readonly number[],
  byDay: readonly string[],
  first: string,
): string[] {
  const start = startOf(year, month);
  if (!isCalendarDate(start)) return [];
  const next = month === 12 ? startOf(year + 1, 1) : startOf(year, month + 1);
  const days = daysBetween(start, next);
  const byWeek =
    byDay.length === 0
      ? undefined
      : [...new Set(byDay.flatMap((name) => daysNamed(name, days, weekdays.indexOf(weekdayOf(start)))))];
  const byNumber = monthDays.map((day) => (day > 0 ? day : days + 1 + day));
  const wanted =
    monthDays.length > 0
      ? byNumber.filter((day) => byWeek?.includes(day) ?? true)
      : (byWeek ?? [Number(first.slice(8))]);
  return wanted.filter((day) => day >= 1 && day <= days).map((day) => dateOf({year, month, day}));
}

function startOf(year: number, month: number): string {
  return dateOf({year, month, day: 1});
}

/** `TH`, `4TH`, `-1MO` as days of a month of so many days, of which the first is that day of the week, counted from Monday. */
function daysNamed(wanted: string, days: number, begins: number): number[] {
  const [, nth, code = ''] = /^([+-]?\d+)?([A-Z]{2})$/.exec(wanted) ?? [];
  const name = weekdayNames[code];
  if (name === undefined) return [];
  const first = 1 + ((weekdays.indexOf(name) - begins + 7) % 7);
  const all = [first, first + 7, first + 14, first + 21, first + 28].filter((day) => day <= days);
  if (nth === undefined) return all;
  const one = all.at(Number(nth) > 0 ? Number(nth) - 1 : Number(nth));
  return one === undefined ? [] : [one];
}

const weekdayNames: Readonly<Record<string, Weekday>> = {
  MO: 'mon',
  TU: 'tue',
  WE: 'wed',
  TH: 'thu',
  FR: 'fri',
  SA: 'sat',
  SU: 'sun',
};

interface FileDay {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

interface FileTime extends FileDay {
  readonly hour: number;
  readonly minute: number;
  readonly isDate: boolean;
}

function dateOf({year, month, day}: FileDay): string {
  return [String(year).padStart(4, '0'), pad(month), pad(day)].join('-');
}

function pad(number: number): string {
  return String(number).padStart(2, '0');
}

function isMidnight({hour, minute}: FileTime): boolean {
  return hour === 0 && minute === 0;
}

/** Some programs end a day a minute early. */
function isLastMinute({hour, minute, isDate}: FileTime): boolean {
  return !isDate && hour === 23 && minute === 59;
}

function daysBetween(from: string, until: string): number {
  return Math.round((Date.parse(`${until}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000);
}

/** The parser quotes what it could not read, which tells the line. */
function whereOf(error: unknown, lines: readonly string[]): string {
  const message = error instanceof Error ? error.message : 'it could not be read';
  const quoted = /"([^"]+)"\s*$/.exec(message)?.[1];
  const at = quoted === undefined ? -1 : lines.findIndex((line) => line.includes(quoted));
  const what = message.slice(0, 160);
  return at < 0 ? what : `line ${at + 1}: ${what}`;
}
