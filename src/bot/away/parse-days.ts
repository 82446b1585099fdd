import {addDays, isCalendarDate} from '../../domain/dates.js';
import {type Weekday, weekdayOf, weekdays} from '../../domain/schedule.js';
import {correctDays} from './correct-days.js';

/** What somebody has typed after `/standup ooo`. */
export type TypedDays =
  | {
      readonly from: string;
      /** Null: until they are back. */
      readonly until: string | null;
      /** What stood after the days; null for nothing. */
      readonly reason: string | null;
    }
  /**
   * `date`: no day could be read; `order`: the last day is before the first, or over. `guess`: what was probably meant, to be typed in its
   * place; `reason`: true where it may be a reason after all, and about today.
   */
  | {readonly fault: 'date' | 'order'; readonly guess?: string; readonly reason?: true};

/** A piece that was read from the beginning of a text, and what follows it. */
interface Read {
  readonly date: string;
  readonly rest: string;
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const month =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?';
const weekday = '(mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?';
const day = '(\\d{1,2})(?:st|nd|rd|th)?';
const year = '(?:,?\\s+(\\d{4}))?';
const end = '(?![\\p{L}\\d])';
const dash = '(?:\\s*[-–—]\\s*|\\s+(?:to|till|til|until|through|thru)\\s+)';

const pattern = (source: string) => new RegExp(`^${source}${end}`, 'iu');
const patterns = {
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
const dashAtStart = new RegExp(`^${dash}`, 'iu');

/**
 * Reads days in English, leniently: `until friday`, `24 Dec to 2 Jan`, `2026-12-24`, `next week`, `for 3 days`. What follows them, and what
 * has nothing of a day in it, is a reason; nothing at all is today. Days without a year are the next ones there are; `friday` may be today,
 * `next friday` is in the week after this one, which begins on Monday. `3/4` is refused: it is April to some and March to others.
 */
export function parseDays(text: string, today: string): TypedDays {
  const typed = text.trim();
  if (typed === '') return {from: today, until: today, reason: null};
  const read = readDays(typed, today);
  if (read !== undefined) return 'fault' in read ? read : checkRest(read, typed, today);
  const named = parseNamed(typed, today);
  if (named !== undefined) return named;
  const guess = guessDays(typed, today);
  const isDay = looksLikeDay(typed);
  if (!isDay && guess === undefined && !mentionsDay.test(typed))
    return {from: today, until: today, reason: reasonOf(typed)};
  return {fault: 'date', ...(guess !== undefined && {guess}), ...(!isDay && {reason: true})};
}

type ReadDays = Exclude<TypedDays, {readonly fault: 'date' | 'order'}>;

/** Undefined where a text does not begin with days. */
function readDays(typed: string, today: string): TypedDays | undefined {
  const span = readSpan(typed, today);
  if (span === undefined) return undefined;
  const {from, until, rest} = begunOf(lengthened(span), typed, today);
  // What is said to have begun is not in days to come.
  if (/^since\s/iu.test(typed) && from > today) return {fault: 'date'};
  // `monday and tuesday` is more than its first day.
  const more = /^\s*(?:,|and|&|\+)\s*(.+)$/iu.exec(rest)?.[1];
  if (more !== undefined && readDate(more, from, today) !== undefined) return {fault: 'date'};
  if (until !== null && (until < from || until < today)) return {fault: 'order'};
  return {from, until, reason: reasonOf(rest)};
}

/** `tomorrow untl friday`: days that cannot be read are no reason. */
function checkRest(read: ReadDays, typed: string, today: string): TypedDays {
  const {reason} = read;
  // Behind a colon stands a reason and nothing else.
  if (reason === null || /:\s*$/.test(typed.slice(0, -reason.length))) return read;
  const corrected = correctDays(reason);
  const isMistyped = corrected !== undefined && readDays(corrected.replace(joins, ''), today) !== undefined;
  if (!isMistyped && !/^unti?l/iu.test(reason)) return read;
  const whole = `${typed.slice(0, typed.length - reason.length)}${corrected ?? reason}`;
  const again = readDays(whole, today);
  const isRead = again !== undefined && !('fault' in again) && again.reason === null;
  return {fault: 'date', ...(isRead && {guess: whole})};
}

const joins = /^(?:and|or|&|\+)\s+/iu;

/** Why somebody is away, before the days: `sick until friday`. */
const reasonFirst =
  /^((?:(?:annual|parental|maternity|paternity|medical|paid|unpaid|sick)\s+)?leave|sick|ill|vacation|holidays?|pto|travell?ing|conference)(?:\s*[,:–—-]\s*|\s+)(\S.*)$/iu;

function parseNamed(typed: string, today: string): TypedDays | undefined {
  const [, name = '', rest = ''] = reasonFirst.exec(typed) ?? [];
  if (name === '') return undefined;
  const read = readDays(rest, today);
  const days = read === undefined || 'fault' in read ? read : checkRest(read, rest, today);
  if (days === undefined) return undefined;
  if ('fault' in days) return days.guess === undefined ? days : {...days, guess: `${days.guess} ${name}`};
  return {...days, reason: days.reason === null ? name : `${name}, ${days.reason}`};
}

/** The same days as they are spelt, or moved to the front of their reason; undefined where that gives no days either. */
function guessDays(typed: string, today: string): string | undefined {
  const spelt = correctDays(typed) ?? typed;
  for (const text of [spelt, `for ${spelt}`, ...movedToFront(spelt)]) {
    const read = readDays(text, today) ?? parseNamed(text, today);
    if (text !== typed && read !== undefined && !('fault' in read)) return text;
  }
  return undefined;
}

/** `dentist tomorrow` as `tomorrow dentist`, from each of its words on. */
function movedToFront(text: string): string[] {
  const words = text.split(/\s+/);
  return words.length > mostWords
    ? []
    : words.slice(1).map((_, i) => [...words.slice(i + 1), ...words.slice(0, i + 1)].join(' '));
}

/** A guess of what a longer text means would be a bad one. */
const mostWords = 12;

/** Any day will do where only the shape of a text is asked for. */
const someDay = '2028-01-01';

/** Whether a text begins with days, so that `away` or `vacation` before it can be nothing else. */
export function readsAsDays(text: string): boolean {
  return readDays(text.trim(), someDay) !== undefined;
}

/** The same of days that are mistyped, or that nobody can read: `untill whenever`. */
export function nearlyDays(text: string): boolean {
  const spelt = correctDays(text.trim()) ?? text.trim();
  return /^(?:until|till?)\s/iu.test(spelt) || readDays(spelt, someDay) !== undefined;
}

/** Whether a text has days anywhere in it. */
export function hasNearDay(text: string): boolean {
  return nearlyDays(text) || mentionsDay.test(text) || guessDays(text.trim(), someDay) !== undefined;
}

interface Span {
  readonly from: string;
  readonly until: string | null;
  /** How many days, of a first day that has its length behind it. */
  readonly days?: number;
  readonly rest: string;
}

/** A day and what it may have behind it: `friday for 2 weeks`. */
function lengthened(span: Span): Span {
  const after = span.rest.trimStart();
  const length = span.until === span.from ? patterns.length.exec(after) : null;
  if (length === null) return span;
  const days = daysIn(length);
  return {from: span.from, until: addDays(span.from, days - 1), days, rest: after.slice(length[0].length)};
}

/** Days without a year that have begun are those that go on now, not those of next year: `20 Dec to 10 Jan`, typed on 24 December. */
function begunOf(span: Span, typed: string, today: string): Span {
  const {from, until, days, rest} = span;
  const hasYear = /\d{4}/.test(typed.slice(0, typed.length - rest.length));
  const before = yearBefore(from);
  if (hasYear || before === undefined || before > today) return span;
  // Without a day at its end it is the nearer of the two.
  if (until === null || days !== undefined) {
    const end = days === undefined ? null : addDays(before, days - 1);
    const isNearer = Date.parse(today) - Date.parse(before) < Date.parse(from) - Date.parse(today);
    return isNearer && (end === null || end >= today) ? {from: before, until: end, rest} : span;
  }
  const end = yearBefore(until);
  return end !== undefined && from > today && end >= today ? {from: before, until: end, rest} : span;
}

function yearBefore(date: string): string | undefined {
  return dateOf(Number(date.slice(0, 4)) - 1, Number(date.slice(5, 7)), Number(date.slice(8)));
}

function readSpan(text: string, today: string): Span | undefined {
  const until = patterns.until.exec(text);
  if (until !== null) return readEnd(text.slice(until[0].length).trimStart(), today, today);
  const length = patterns.length.exec(text);
  if (length !== null) {
    const rest = text.slice(length[0].length);
    return {from: today, until: addDays(today, daysIn(length) - 1), rest};
  }
  const week = patterns.week.exec(text) ?? patterns.restOfWeek.exec(text);
  if (week !== null) return {...weekOf(week[1] ?? '', today), rest: text.slice(week[0].length)};
  const several = readSeveral(text, today);
  if (several !== undefined) return several;
  const begin = patterns.from.exec(text);
  const first = readDate(begin === null ? text : text.slice(begin[0].length).trimStart(), today, today);
  if (first === undefined) return undefined;
  const {date: from, rest} = first;
  const join = dashAtStart.exec(rest);
  if (join === null) return {from, until: from, rest};
  const ended = readEnd(rest.slice(join[0].length), from, today);
  // A dash may as well begin the reason.
  if (ended === undefined && /[-–—]/.test(join[0])) return {from, until: from, rest};
  return ended;
}

/** The end of a time that begins at `from`. */
function readEnd(text: string, from: string, today: string): Span | undefined {
  const open = patterns.open.exec(text);
  if (open !== null) return {from, until: null, rest: text.slice(open[0].length)};
  const week = patterns.week.exec(text);
  if (week !== null)
    return {from, until: weekOf(week[1] ?? '', today).until, rest: text.slice(week[0].length)};
  const read = readDate(text, from, today);
  return read && {from, until: read.date, rest: read.rest};
}

/** `24-28 Dec`, `Dec 24 to 28`. */
function readSeveral(text: string, today: string): Span | undefined {
  const before = patterns.daysOfMonth.exec(text);
  const after = before === null ? patterns.monthDays.exec(text) : null;
  const [whole = '', a = '', b = '', c = '', inYear] = before ?? after ?? [];
  if (whole === '') return undefined;
  const [first, last, name] = before === null ? [b, c, a] : [a, b, c];
  const from = inNextYear(monthOf(name), Number(first), inYear, today);
  const until = from && inNextYear(monthOf(name), Number(last), from.slice(0, 4), from);
  return from && until ? {from, until, rest: text.slice(whole.length)} : undefined;
}

/** A day at the beginning of a text. `base`: a day without its year is not before this one. */
function readDate(text: string, base: string, today: string): Read | undefined {
  const read = (found: RegExpExecArray | null, date: (parts: readonly string[]) => string | undefined) => {
    const at = found === null ? undefined : date(found.map((part) => part ?? ''));
    return at === undefined || found === null ? undefined : {date: at, rest: text.slice(found[0].length)};
  };
  return (
    read(patterns.iso.exec(text), ([, y, m, d]) => dateOf(Number(y), Number(m), Number(d))) ??
    read(patterns.dotted.exec(text), ([, d, m, y]) => inNextYear(Number(m), Number(d), y, base)) ??
    read(patterns.slashed.exec(text), ([, a, b, y]) => slashed(Number(a), Number(b), y, base)) ??
    read(patterns.dayMonth.exec(text), ([, d, m = '', y]) => inNextYear(monthOf(m), Number(d), y, base)) ??
    read(patterns.monthDay.exec(text), ([, m = '', d, y]) => inNextYear(monthOf(m), Number(d), y, base)) ??
    read(patterns.near.exec(text), ([, word = '']) => nearDay(word.toLowerCase(), today)) ??
    read(patterns.endOf.exec(text), ([, which = '', what = '']) =>
      endOf(what.toLowerCase(), which.toLowerCase() === 'next', today),
    ) ??
    read(patterns.dayOfNextWeek.exec(text), ([, name = '']) =>
      weekdayFrom('next', name.toLowerCase(), base, today),
    ) ??
    read(patterns.weekday.exec(text), ([, which = '', name = '']) =>
      weekdayFrom(which.toLowerCase(), name.toLowerCase(), base, today),
    )
  );
}

function dateOf(y: number, m: number, d: number): string | undefined {
  const date = [String(y).padStart(4, '0'), String(m).padStart(2, '0'), String(d).padStart(2, '0')].join('-');
  return isCalendarDate(date) ? date : undefined;
}

/** In the year that is given, or the first in which the day exists and is not before `base`. */
function inNextYear(m: number, d: number, given: string | undefined, base: string): string | undefined {
  if (given !== undefined && given !== '') return dateOf(Number(given), m, d);
  const first = Number(base.slice(0, 4));
  for (let y = first; y <= first + 8; y++) {
    const date = dateOf(y, m, d);
    if (date !== undefined && date >= base) return date;
  }
  return undefined;
}

/** Only where it is clear which of the two is the month. */
function slashed(a: number, b: number, y: string | undefined, base: string): string | undefined {
  if (a > 12) return inNextYear(b, a, y, base);
  return b > 12 || a === b ? inNextYear(a, b, y, base) : undefined;
}

function monthOf(name: string): number {
  return months.indexOf(name.slice(0, 3).toLowerCase()) + 1;
}

const nearDays: Readonly<Record<string, number>> = {
  yesterday: -1,
  today: 0,
  tomorrow: 1,
  'the day after tomorrow': 2,
};

function nearDay(word: string, today: string): string | undefined {
  const days = nearDays[word];
  return days === undefined ? undefined : addDays(today, days);
}

function weekdayFrom(which: string, name: string, base: string, today: string): string | undefined {
  const wanted = weekdays.find((one) => name.startsWith(one));
  if (wanted === undefined) return undefined;
  if (which === 'next') return addDays(mondayOf(today), 7 + weekdays.indexOf(wanted));
  return nextOf(wanted, base);
}

function nextOf(wanted: Weekday, base: string): string {
  const ahead = weekdays.indexOf(wanted) - weekdays.indexOf(weekdayOf(base));
  return addDays(base, (ahead + 7) % 7);
}

function mondayOf(date: string): string {
  return addDays(date, -weekdays.indexOf(weekdayOf(date)));
}

/** This week is what is left of it; the next one is whole. */
function weekOf(which: string, today: string): {from: string; until: string} {
  const monday = mondayOf(today);
  if (which.toLowerCase() === 'next') return {from: addDays(monday, 7), until: addDays(monday, 13)};
  return {from: today, until: addDays(monday, 6)};
}

function endOf(what: string, next: boolean, today: string): string {
  if (what === 'week') return addDays(mondayOf(today), next ? 13 : 6);
  const [y, m] = [Number(today.slice(0, 4)), Number(today.slice(5, 7))];
  if (what === 'year') return `${y + (next ? 1 : 0)}-12-31`;
  const after = y * 12 + m - 1 + (next ? 2 : 1);
  return addDays(dateOf(Math.floor(after / 12), (after % 12) + 1, 1) ?? today, -1);
}

const numbers: Readonly<Record<string, number>> = {a: 1, an: 1, one: 1, two: 2, three: 3};

function daysIn([, number = '', unit = '']: RegExpExecArray): number {
  const count = Math.max(1, numbers[number.toLowerCase()] ?? Number(number));
  return unit.toLowerCase() === 'week' ? count * 7 : count;
}

/** Begins as a day does, so that it is no reason: it is better asked again than entered wrongly. */
function looksLikeDay(text: string): boolean {
  const [first = '', second = ''] = text.toLowerCase().split(/\s+/);
  const wordOfDay = new RegExp(`^(?:${month}|${weekday})$`, 'iu');
  return (
    patterns.until.test(text) ||
    /^(?:from|since|starting|next|this|end)$/.test(first) ||
    /^\d/.test(first) ||
    wordOfDay.test(first) ||
    wordOfDay.test(second) ||
    /^\d+[./-]\d+/.test(second)
  );
}

/** A day somewhere in what would be a reason: `dentist tomorrow` is not about today. */
const mentionsDay = new RegExp(
  `(?<![\\p{L}\\d])(?:tomorrow|until|till|next\\s+week|for\\s+(?:\\d{1,3}|an?|one|two|three)\\s+(?:day|week)s?|${weekday.replace('(?:day)?', 'day')}s?|${day}\\s*${month}|${month}\\s*${day})${end}`,
  'iu',
);

/** What stands after the days, without what joins it to them. */
function reasonOf(rest: string): string | null {
  const reason = rest.replace(/^[\s,;:.–—-]+/u, '').trim();
  return reason === '' ? null : reason;
}
