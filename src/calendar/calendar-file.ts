import {addDays, isCalendarDate} from '../domain/core/dates.js';
import type {HolidayDay, ReadCalendarFile} from '../domain/absences/holidays.js';
import {limits} from '../domain/core/limits.js';
import {
  CalendarFileError,
  type FileDay,
  formatDate,
  daysBetween,
  listYearlyDates,
  requireKnownRuleParts,
} from './yearly-rules.js';
import {createZones} from './zones.js';

/** The parts of a calendar event that decide which days are off. */
interface FileEvent {
  readonly line: number;
  readonly uid: string;
  readonly name: string;
  /** The first day. `length` is the number of whole days; 0 for an event that ends within a day. */
  readonly first: string;
  readonly length: number;
  readonly rule: Readonly<Record<string, unknown>> | undefined;
  readonly without: ReadonlySet<string>;
  readonly further: readonly string[];
  /** The day of the repetition that this event replaces, if it replaces one. */
  readonly replaces: string | undefined;
}

/** Matches a date without `VALUE=DATE`, as many programs write it. */
const bareDate = /^((?:DTSTART|DTEND|EXDATE|RDATE|RECURRENCE-ID))(:\d{8}(?:,\d{8})*[^\S\r\n]*)$/gim;

/** The longest holiday in days. A longer event is refused. */
const longest = 31;
/** The largest number of rule parts, repetition dates and days off that are examined for one file. */
const mostInFile = 10_000;

/**
 * Reads an iCalendar file (RFC 5545). Events on whole days count. An event with times counts for each day
 * that it covers from midnight to midnight. Times in UTC are converted to the time zone in X-WR-TIMEZONE.
 * Only yearly repetitions are supported (INTERVAL, COUNT, UNTIL, BYMONTH, BYMONTHDAY, BYDAY), with RDATE,
 * EXDATE and replaced occurrences. This code counts them itself, so that no rule runs forever. A file is
 * refused if a part that decides about days is not supported, or if no day off is left.
 */
export const readCalendarFile: ReadCalendarFile = async (file, time) => {
  try {
    const events = await parseCalendarEvents(file);
    const days = new Map<string, string>();
    const replaced = listReplacedDays(events);
    const budget = {left: mostInFile};
    for (const event of events) {
      for (const begin of listStartDays(event, replaced.get(event.uid), time, budget)) {
        if (begin > time.until || addDays(begin, event.length) < time.from) continue;
        budget.left -= event.length;
        if (budget.left < 0) throw new CalendarFileError('has too many days off');
        for (let i = 0; i < event.length; i++) {
          const date = addDays(begin, i);
          if (date >= time.from && date <= time.until && !days.has(date)) days.set(date, event.name);
        }
      }
    }
    if (days.size > limits.holidayDays) {
      throw new CalendarFileError(
        `has ${days.size} days off from ${time.from} to ${time.until}; at most ${limits.holidayDays} are kept`,
      );
    }
    if (days.size === 0)
      throw new CalendarFileError(`has no whole day off from ${time.from} to ${time.until}`);
    const sorted = [...days].map(([date, name]): HolidayDay => ({date, name}));
    return {days: sorted.toSorted((a, b) => a.date.localeCompare(b.date))};
  } catch (error) {
    if (error instanceof CalendarFileError) return {error: error.message};
    throw error;
  }
};

async function parseCalendarEvents(file: string): Promise<FileEvent[]> {
  const {default: ICAL} = await import('ical.js');
  const lines = file.split(/\r?\n|\r/);
  const begins = lines.flatMap((line, i) => (/^BEGIN:VEVENT\s*$/i.test(line) ? [i + 1] : []));
  if (!lines.some((line) => /^BEGIN:VCALENDAR\s*$/i.test(line.replace(/^\uFEFF/, ''))))
    throw new CalendarFileError('is no iCalendar file: it has no line "BEGIN:VCALENDAR"');
  if (begins.length === 0) throw new CalendarFileError('has no event (VEVENT)');
  let parsed: unknown;
  try {
    parsed = ICAL.parse(file.replace(/^\uFEFF/, '').replaceAll(bareDate, '$1;VALUE=DATE$2'));
  } catch (error) {
    throw new CalendarFileError(`is no iCalendar file: ${findLineOfError(error, lines)}`);
  }
  requireKnownRuleParts(lines);
  // A file may contain several calendars.
  const roots: unknown[] = Array.isArray(parsed) && Array.isArray(parsed[0]) ? parsed : [parsed];
  const zones = createZones();
  const events = roots.flatMap((root) => {
    const component = new ICAL.Component(root as never);
    const zone = component.getFirstPropertyValue('x-wr-timezone');
    const timezone = typeof zone === 'string' && zone.trim() !== '' ? zone.trim() : undefined;
    return component.getAllSubcomponents('vevent').map((event) => ({event, timezone}));
  });
  return events.flatMap(({event, timezone}, i) => {
    const line = begins[i] ?? 1;
    try {
      return readCalendarEvent(event, line, timezone);
    } catch (error) {
      // The parser reads a value only when the code asks for it, so errors may come late.
      if (error instanceof CalendarFileError || !(error instanceof Error)) throw error;
      throw new CalendarFileError(
        `line ${line}: the event that begins there cannot be read: ${error.message.slice(0, 160)}`,
      );
    }
  });

  function readCalendarEvent(
    event: InstanceType<typeof ICAL.Component>,
    line: number,
    timezone: string | undefined,
  ): FileEvent[] {
    const fail = (what: string): never => {
      throw new CalendarFileError(`line ${line}: the event that begins there ${what}`);
    };
    const isCancelled = event.getFirstPropertyValue('status') === 'CANCELLED';
    // A cancelled event is ignored. A cancelled repetition must still say which one it is.
    if (isCancelled && !event.hasProperty('recurrence-id')) return [];
    const unread = findUnsupportedProperty(event);
    if (unread !== undefined) return fail(`has ${unread}, which is not understood`);
    const local = (value: unknown): InstanceType<typeof ICAL.Time> | undefined => {
      if (!(value instanceof ICAL.Time)) return undefined;
      if (value.isDate || value.zone?.tzid !== 'UTC' || timezone === undefined) return value;
      try {
        const {date, time} = zones.clockAt(timezone, value.toUnixTime() * 1_000);
        return ICAL.Time.fromDateTimeString(`${date}T${time}:00`);
      } catch {
        throw new CalendarFileError(
          `names no time zone that is known in X-WR-TIMEZONE: "${timezone.slice(0, 60)}"`,
        );
      }
    };
    const start = local(event.getFirstPropertyValue('dtstart'));
    if (start === undefined) return fail('has no DTSTART that can be read');
    const ends = local(event.getFirstPropertyValue('dtend'));
    const lasts = event.getFirstPropertyValue('duration');
    const rule = event.getFirstPropertyValue('rrule');
    const replaces = local(event.getFirstPropertyValue('recurrence-id'));
    const datesOf = (name: string) =>
      event
        .getAllProperties(name)
        .flatMap((property) => property.getValues() as unknown[])
        .flatMap((value) => local(value) ?? [])
        .map(formatDate);
    if (lasts instanceof ICAL.Duration) {
      const seconds = lasts.toSeconds();
      if (seconds < 0 || seconds > longest * 86_400) return fail(`lasts longer than ${longest} days`);
    }
    const until = ends ?? (lasts instanceof ICAL.Duration ? addDuration(start.clone(), lasts) : undefined);
    const first = start.isDate || isMidnight(start) ? formatDate(start) : addDays(formatDate(start), 1);
    const afterLast =
      until === undefined
        ? start.isDate
          ? addDays(first, 1)
          : first
        : isLastMinute(until)
          ? addDays(formatDate(until), 1)
          : formatDate(until);
    if (![first, afterLast].every(isCalendarDate)) return fail('has a date that does not exist');
    // Many programs let an event on a day end on the same day, although RFC 5545 3.6.1 requires a later end.
    const least = start.isDate ? 1 : 0;
    const length = isCancelled ? 0 : Math.max(least, daysBetween(first, afterLast));
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
      replaces: replaces === undefined ? undefined : formatDate(replaces),
    };
    return [read];
  }

  /** Returns a property that decides about days but is not supported, so that the file is refused. */
  function findUnsupportedProperty(event: InstanceType<typeof ICAL.Component>): string | undefined {
    const rules = event.getAllProperties('rrule');
    if (rules.length > 1) return 'a second RRULE';
    if (event.hasProperty('exrule')) return 'EXRULE';
    if (event.getFirstProperty('recurrence-id')?.getFirstParameter('range') !== undefined)
      return 'a RANGE of RECURRENCE-ID';
    const twice = ['dtstart', 'dtend', 'duration', 'recurrence-id'].find(
      (name) => event.getAllProperties(name).length > 1,
    );
    if (twice !== undefined) return `a second ${twice.toUpperCase()}`;
    const isDate = (value: unknown) => value instanceof ICAL.Time;
    return ['rdate', 'exdate']
      .find((name) => event.getAllProperties(name).some((property) => !property.getValues().every(isDate)))
      ?.toUpperCase()
      .concat(' with other values than days');
  }

  function addDuration<T extends {addDuration: (by: never) => void}>(from: T, by: unknown): T {
    from.addDuration(by as never);
    return from;
  }
}

/** For each event UID, lists the days of repetitions that other events replace. */
function listReplacedDays(events: readonly FileEvent[]): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const {uid, replaces} of events) {
    if (uid === '' || replaces === undefined) continue;
    const days = found.get(uid) ?? new Set();
    found.set(uid, days.add(replaces));
  }
  return found;
}

/** Lists the days on which an event begins within a period, or shortly before. */
function listStartDays(
  event: FileEvent,
  replaced: ReadonlySet<string> | undefined,
  time: {from: string; until: string},
  budget: {left: number},
): string[] {
  const repeats =
    event.replaces !== undefined || event.rule === undefined
      ? [event.first]
      : listYearlyDates(event, event.rule, time, budget);
  return [...new Set([...repeats, ...event.further])].filter(
    (date) => event.replaces !== undefined || !(event.without.has(date) || replaced?.has(date) === true),
  );
}

interface FileTime extends FileDay {
  readonly hour: number;
  readonly minute: number;
  readonly isDate: boolean;
}

function isMidnight({hour, minute}: FileTime): boolean {
  return hour === 0 && minute === 0;
}

/** True for 23:59, at which some programs end a whole day. */
function isLastMinute({hour, minute, isDate}: FileTime): boolean {
  return !isDate && hour === 23 && minute === 59;
}

/** Finds the line of an error. The parser's message quotes the text that it could not read. */
function findLineOfError(error: unknown, lines: readonly string[]): string {
  const message = error instanceof Error ? error.message : 'it could not be read';
  const quoted = /"([^"]+)"\s*$/.exec(message)?.[1];
  const at = quoted === undefined ? -1 : lines.findIndex((line) => line.includes(quoted));
  const what = message.slice(0, 160);
  return at < 0 ? what : `line ${at + 1}: ${what}`;
}
