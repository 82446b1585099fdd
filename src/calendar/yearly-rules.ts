import {isCalendarDate, type Weekday, findWeekday, weekdays} from '../domain/core/dates.js';

/** The error for a refused calendar file. Its message completes the sentence "The file …". */
export class CalendarFileError extends Error {}

/** The largest number of rule parts and repetition dates that are examined for one event. */
const mostRepeats = 2_000;

const knownParts = new Set(['FREQ', 'INTERVAL', 'COUNT', 'UNTIL', 'BYMONTH', 'BYMONTHDAY', 'BYDAY', 'WKST']);

/** Refuses rules with unknown parts such as RSCALE, found in the text because the parser drops them. */
export function requireKnownRuleParts(lines: readonly string[]): void {
  let begin: number | undefined;
  for (const [i, line] of lines.entries()) {
    if (/^BEGIN:VEVENT\s*$/i.test(line)) begin = i + 1;
    if (/^END:VEVENT\s*$/i.test(line)) begin = undefined;
    if (begin === undefined || !/^RRULE[;:]/i.test(line)) continue;
    let rule = line.slice(line.indexOf(':') + 1);
    for (let next = i + 1; /^[ \t]/.test(lines[next] ?? ''); next++) rule += lines[next]?.slice(1);
    const names = rule.split(';').map((part) => (part.split('=')[0] ?? '').trim().toUpperCase());
    const unknown = names.find((name) => name !== '' && !knownParts.has(name));
    if (unknown === undefined) continue;
    const which = `line ${begin}: the event that begins there repeats by ${unknown.slice(0, 40)}`;
    throw new CalendarFileError(`${which}, which is not understood`);
  }
}

/** Lists the first days by an RRULE until the end of a period. `budget`: the work for a whole file. */
export function listYearlyDates(
  event: {readonly line: number; readonly first: string},
  rule: Readonly<Record<string, unknown>>,
  {from, until: last}: {from: string; until: string},
  budget: {left: number},
): string[] {
  const fail = (what: string): never => {
    throw new CalendarFileError(`line ${event.line}: the event that begins there ${what}`);
  };
  if (rule['freq'] !== 'YEARLY') return fail('repeats, and not every year: only FREQ=YEARLY is understood');
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
  // Skips years before the period, without COUNT. One stays: a holiday may begin in December.
  const ahead = Number(from.slice(0, 4)) - 1 - begun;
  const skipped = Number.isFinite(count) || ahead <= 0 ? 0 : Math.floor(ahead / interval) * interval;
  const found: string[] = [];
  let looked = 0;
  const spend = (cost: number): void => {
    looked += cost;
    budget.left -= cost;
    if (looked > mostRepeats || budget.left < 0) fail('repeats too often to be a holiday');
  };
  for (let year = begun + skipped; findStartOfMonth(year, 1) <= last; year += interval) {
    spend(Math.max(1, months.length) * Math.max(1, monthDays.length + byDay.length));
    const ofYear = (months.length > 0 ? months : [Number(event.first.slice(5, 7))])
      .flatMap((month) => listDaysOfMonth(year, month, monthDays, byDay, event.first))
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

function listDaysOfMonth(
  year: number,
  month: number,
  monthDays: readonly number[],
  byDay: readonly string[],
  first: string,
): string[] {
  const start = findStartOfMonth(year, month);
  if (!isCalendarDate(start)) return [];
  const next = month === 12 ? findStartOfMonth(year + 1, 1) : findStartOfMonth(year, month + 1);
  const days = daysBetween(start, next);
  const byWeek =
    byDay.length === 0
      ? undefined
      : [
          ...new Set(
            byDay.flatMap((name) => listDaysOfWeekdayRule(name, days, weekdays.indexOf(findWeekday(start)))),
          ),
        ];
  const byNumber = monthDays.map((day) => (day > 0 ? day : days + 1 + day));
  const wanted =
    monthDays.length > 0
      ? byNumber.filter((day) => byWeek?.includes(day) ?? true)
      : (byWeek ?? [Number(first.slice(8))]);
  return wanted.filter((day) => day >= 1 && day <= days).map((day) => formatDate({year, month, day}));
}

function findStartOfMonth(year: number, month: number): string {
  return formatDate({year, month, day: 1});
}

/**
 * Returns the days of a month that a BYDAY value such as `TH`, `4TH` or `-1MO` means. The month has `days`
 * days, and `begins` is its first weekday, counted from Monday.
 */
function listDaysOfWeekdayRule(wanted: string, days: number, begins: number): number[] {
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

export interface FileDay {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

export function formatDate({year, month, day}: FileDay): string {
  return [String(year).padStart(4, '0'), padNumber(month), padNumber(day)].join('-');
}

function padNumber(number: number): string {
  return String(number).padStart(2, '0');
}

export function daysBetween(from: string, until: string): number {
  return Math.round((Date.parse(`${until}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000);
}
