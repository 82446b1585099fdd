import {addDays, isCalendarDate, type Weekday, findWeekday, weekdays} from '../core/dates.js';

/* Reads one day in English, and parts of a text that refer to days. */

/** A part read from the beginning of a text, and the text after that part. */
interface DateMatch {
  readonly date: string;
  readonly rest: string;
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
export const month =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?';
export const weekday = '(mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?';
export const day = '(\\d{1,2})(?:st|nd|rd|th)?';
export const year = '(?:,?\\s+(\\d{4}))?';
export const end = '(?![\\p{L}\\d])';
export const dash = '(?:\\s*[-–—]\\s*|\\s+(?:to|till|til|until|through|thru)\\s+)';

const pattern = (source: string) => new RegExp(`^${source}${end}`, 'iu');
export const patterns = {
  iso: pattern('(\\d{4})[-/](\\d{1,2})[-/](\\d{1,2})'),
  dotted: pattern('(\\d{1,2})\\.(\\d{1,2})\\.(?:\\s?(\\d{4}))?'),
  slashed: pattern('(\\d{1,2})/(\\d{1,2})(?:/(\\d{4}))?'),
  dayMonth: pattern(`${day}(?:\\s+of)?\\s*${month}${year}`),
  monthDay: pattern(`${month}\\s*${day}${year}`),
  daysOfMonth: pattern(`${day}${dash}${day}(?:\\s+of)?\\s*${month}${year}`),
  monthDays: pattern(`${month}\\s*${day}${dash}${day}${year}`),
  near: pattern('(today|tomorrow|yesterday|the day after tomorrow)'),
  weekday: pattern(`(?:(this|next|on)\\s+)?${weekday}`),
  week: pattern('(this|next)\\s+week'),
  restOfWeek: pattern('(?:for\\s+)?(?:the\\s+)?rest\\s+of\\s+(?:the|this)\\s+week'),
  dayOfNextWeek: pattern(`(?:on\\s+)?${weekday}(?:\\s+of)?\\s+next\\s+week`),
  endOf: pattern('(?:the\\s+)?end\\s+of\\s+(?:(this|next|the)\\s+)?(week|month|year)'),
  until: pattern('(?:until|untill|till?|to|through|thru)'),
  from: pattern('(?:from|since|starting|on)'),
  open: pattern("(?:further notice|i(?:['’]m| am) back|open end)"),
  length: pattern('for\\s+(?:(\\d{1,3}|an?|one|two|three)\\s+)(day|week)s?'),
} as const;
/** Reads a day at the beginning of a text. `base`: a day without a year is on or after this date. */
export function readDate(text: string, base: string, today: string): DateMatch | undefined {
  const read = (found: RegExpExecArray | null, date: (parts: readonly string[]) => string | undefined) => {
    const at = found === null ? undefined : date(found.map((part) => part ?? ''));
    return at === undefined || found === null ? undefined : {date: at, rest: text.slice(found[0].length)};
  };
  return (
    read(patterns.iso.exec(text), ([, y, m, d]) => formatDateIfValid(Number(y), Number(m), Number(d))) ??
    read(patterns.dotted.exec(text), ([, d, m, y]) => chooseYearOfDate(Number(m), Number(d), y, base)) ??
    read(patterns.slashed.exec(text), ([, a, b, y]) => parseSlashedDate(Number(a), Number(b), y, base)) ??
    read(patterns.dayMonth.exec(text), ([, d, m = '', y]) =>
      chooseYearOfDate(parseMonth(m), Number(d), y, base),
    ) ??
    read(patterns.monthDay.exec(text), ([, m = '', d, y]) =>
      chooseYearOfDate(parseMonth(m), Number(d), y, base),
    ) ??
    read(patterns.near.exec(text), ([, word = '']) => parseRelativeDay(word.toLowerCase(), today)) ??
    read(patterns.endOf.exec(text), ([, which = '', what = '']) =>
      findEndOfPeriod(what.toLowerCase(), which.toLowerCase() === 'next', today),
    ) ??
    read(patterns.dayOfNextWeek.exec(text), ([, name = '']) =>
      parseWeekday('next', name.toLowerCase(), base, today),
    ) ??
    read(patterns.weekday.exec(text), ([, which = '', name = '']) =>
      parseWeekday(which.toLowerCase(), name.toLowerCase(), base, today),
    )
  );
}

export function formatDateIfValid(y: number, m: number, d: number): string | undefined {
  const date = [String(y).padStart(4, '0'), String(m).padStart(2, '0'), String(d).padStart(2, '0')].join('-');
  return isCalendarDate(date) ? date : undefined;
}

/** Returns a day in the given year, or else in the first year in which it is not before `base`. */
export function chooseYearOfDate(
  m: number,
  d: number,
  given: string | undefined,
  base: string,
): string | undefined {
  if (given !== undefined && given !== '') return formatDateIfValid(Number(given), m, d);
  const first = Number(base.slice(0, 4));
  for (let y = first; y <= first + 8; y++) {
    const date = formatDateIfValid(y, m, d);
    if (date !== undefined && date >= base) return date;
  }
  return undefined;
}

/** Parses a date such as `13/4`, but only if it is clear which number is the month. */
function parseSlashedDate(a: number, b: number, y: string | undefined, base: string): string | undefined {
  if (a > 12) return chooseYearOfDate(b, a, y, base);
  return b > 12 || a === b ? chooseYearOfDate(a, b, y, base) : undefined;
}

export function parseMonth(name: string): number {
  return months.indexOf(name.slice(0, 3).toLowerCase()) + 1;
}

const nearDays: Readonly<Record<string, number>> = {
  yesterday: -1,
  today: 0,
  tomorrow: 1,
  'the day after tomorrow': 2,
};

function parseRelativeDay(word: string, today: string): string | undefined {
  const days = nearDays[word];
  return days === undefined ? undefined : addDays(today, days);
}

function parseWeekday(which: string, name: string, base: string, today: string): string | undefined {
  const wanted = weekdays.find((one) => name.startsWith(one));
  if (wanted === undefined) return undefined;
  if (which === 'next') return addDays(findMonday(today), 7 + weekdays.indexOf(wanted));
  return findNextWeekday(wanted, base);
}

function findNextWeekday(wanted: Weekday, base: string): string {
  const ahead = weekdays.indexOf(wanted) - weekdays.indexOf(findWeekday(base));
  return addDays(base, (ahead + 7) % 7);
}

function findMonday(date: string): string {
  return addDays(date, -weekdays.indexOf(findWeekday(date)));
}

/** Returns the days of a week: the rest of this week, or the whole next week. */
export function parseWeekSpan(which: string, today: string): {from: string; until: string} {
  const monday = findMonday(today);
  if (which.toLowerCase() === 'next') return {from: addDays(monday, 7), until: addDays(monday, 13)};
  return {from: today, until: addDays(monday, 6)};
}

function findEndOfPeriod(what: string, next: boolean, today: string): string {
  if (what === 'week') return addDays(findMonday(today), next ? 13 : 6);
  const [y, m] = [Number(today.slice(0, 4)), Number(today.slice(5, 7))];
  if (what === 'year') return `${y + (next ? 1 : 0)}-12-31`;
  const after = y * 12 + m - 1 + (next ? 2 : 1);
  return addDays(formatDateIfValid(Math.floor(after / 12), (after % 12) + 1, 1) ?? today, -1);
}

const numbers: Readonly<Record<string, number>> = {a: 1, an: 1, one: 1, two: 2, three: 3};

export function countDays([, number = '', unit = '']: RegExpExecArray): number {
  const count = Math.max(1, numbers[number.toLowerCase()] ?? Number(number));
  return unit.toLowerCase() === 'week' ? count * 7 : count;
}
