/** Orders of day and month in dates such as 03/04/2024. */
export type DateOrder = 'day-first' | 'month-first';

export interface DayOptions {
  readonly dateOrder?: DateOrder | undefined;
  /** Whether 24 means 2024. Without it, such a year is refused. */
  readonly twoDigitYears?: boolean | undefined;
}

export type DayError = 'not_a_date' | 'date_order_unknown' | 'two_digit_year';

/** A day as it was written, an instant (with the day, if it is written as midnight), or why a text is neither. */
export type ReadDay =
  | {readonly date: string; readonly hasTime: boolean}
  | {readonly instant: string; readonly midnightOf?: string}
  | {readonly error: DayError};

const time = String.raw`(?:(?:,?\s+|T)(?:at\s+)?(\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:\s*[AP]\.?M\.?)?))?`;
const zone = String.raw`(?:\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2}|[+-]\d{2}))?(?:\s*\([^)]*\))?`;
const yearFirst = new RegExp(String.raw`^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})${time}${zone}$`, 'i');
const yearLast = new RegExp(String.raw`^(\d{1,2})[-/.](\d{1,2})[-/.](\d{2}|\d{4})${time}${zone}$`, 'i');
const weekday = String.raw`(?:[a-z]{3,9}\.?,?\s+)?`;
const dayMonth = new RegExp(
  String.raw`^${weekday}(\d{1,2})(?:st|nd|rd|th|\.)?[\s-]+([a-z]{3,9})\.?,?[\s-]+(\d{4})${time}${zone}$`,
  'i',
);
const monthDay = new RegExp(
  String.raw`^${weekday}([a-z]{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})${time}${zone}$`,
  'i',
);
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Reads the day or the instant of a cell. A day and a month that both fit are never guessed. */
export function readDay(given: string, {dateOrder, twoDigitYears = false}: DayOptions = {}): ReadDay {
  const text = given.trim();
  if (/^\d{10}(?:\.\d+)?$/.test(text)) return {instant: new Date(Number(text) * 1_000).toISOString()};
  if (/^\d{13}$/.test(text)) return {instant: new Date(Number(text)).toISOString()};
  const iso = yearFirst.exec(text);
  if (iso !== null) return createDay(iso[1], iso[2], iso[3], iso[4], iso[5]);
  const named = dayMonth.exec(text);
  if (named !== null) return createDay(named[3], findMonth(named[2]), named[1], named[4], named[5]);
  const american = monthDay.exec(text);
  if (american !== null)
    return createDay(american[3], findMonth(american[1]), american[2], american[4], american[5]);
  const numeric = yearLast.exec(text);
  if (numeric === null) return {error: 'not_a_date'};
  const [, first, second, year = '', clock, offset] = numeric;
  if (year.length === 2 && !twoDigitYears) return {error: 'two_digit_year'};
  if (dateOrder === undefined) return {error: 'date_order_unknown'};
  const fullYear = year.length === 2 ? `20${year}` : year;
  const [month, day] = dateOrder === 'day-first' ? [second, first] : [first, second];
  return createDay(fullYear, month, day, clock, offset);
}

function findMonth(name = ''): string {
  return String(months.indexOf(name.slice(0, 3).toLowerCase()) + 1);
}

function createDay(year = '', month = '', day = '', clock?: string, offset?: string): ReadDay {
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  if (!isCalendarDay(date)) return {error: 'not_a_date'};
  if (clock === undefined) return {date, hasTime: false};
  if (offset === undefined) return {date, hasTime: true};
  const instant = Date.parse(`${date}T${readClock(clock)}${readOffset(offset)}`);
  if (Number.isNaN(instant)) return {error: 'not_a_date'};
  const isMidnight = /^(?:0?0:00|12:00(?=.*a))[^1-9]*$/i.test(clock);
  return {instant: new Date(instant).toISOString(), ...(isMidnight && {midnightOf: date})};
}

function isCalendarDay(date: string): boolean {
  const instant = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(instant) && new Date(instant).toISOString().startsWith(date);
}

function readClock(text: string): string {
  const [, hour = '', rest = '', half] = /^(\d{1,2})(:[\d:.,]+)\s*(?:([AP])\.?M\.?)?$/i.exec(text) ?? [];
  const hours =
    half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  const clock = `${String(hours).padStart(2, '0')}${rest.replace(',', '.')}`;
  return rest.length === 3 ? `${clock}:00` : clock;
}

function readOffset(text: string): string {
  if (/^(?:Z|UTC|GMT)$/i.test(text)) return 'Z';
  const digits = text.replace(':', '');
  return `${digits.slice(0, 3)}:${digits.slice(3).padEnd(2, '0')}`;
}

/**
 * Returns the order of day and month that all dates of a column have: undefined if none shows it, so that a
 * person must say it. `mixed`: some dates show one order, and some the other.
 */
export function findDateOrder(texts: Iterable<string>): DateOrder | 'mixed' | undefined {
  let found: DateOrder | undefined;
  for (const text of texts) {
    const [, first = '', second = ''] = yearLast.exec(text.trim()) ?? [];
    const isDayFirst = Number(first) > 12;
    const isMonthFirst = Number(second) > 12;
    if (isDayFirst === isMonthFirst) continue;
    const order = isDayFirst ? 'day-first' : 'month-first';
    if (found !== undefined && found !== order) return 'mixed';
    found = order;
  }
  return found;
}

/** True if a column has a date in which the order of day and month matters. */
export function needsDateOrder(texts: Iterable<string>): boolean {
  for (const text of texts) if (yearLast.test(text.trim())) return true;
  return false;
}
