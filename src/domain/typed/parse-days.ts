import {addDays} from '../core/dates.js';
import {correctDays} from './correct-days.js';
import {skipReasons} from './words.js';
import {
  dash,
  formatDateIfValid,
  day,
  countDays,
  end,
  chooseYearOfDate,
  month,
  parseMonth,
  patterns,
  readDate,
  weekday,
  parseWeekSpan,
} from './read-date.js';

/** The text after `/standup ooo`, parsed. */
export type TypedDays =
  | {
      readonly from: string;
      /** The last day; null if the absence lasts until the person is back. */
      readonly until: string | null;
      /** The text after the days; null for none. */
      readonly reason: string | null;
    }
  /**
   * The kinds of errors:
   * - `date`: no day could be read.
   * - `order`: the last day is before the first, or in the past.
   * - `part`: less than a whole day was given.
   * `guess`: the probable meaning, in a form that can be typed. `reason`: true if the text may be a reason
   * for an absence today.
   */
  | {readonly error: 'date' | 'order' | 'part'; readonly guess?: string; readonly reason?: true};

const dashAtStart = new RegExp(`^${dash}`, 'iu');

/**
 * Reads days in English: `until friday`, `24 Dec to 2 Jan`, `2026-12-24`, `next week`, `for 3 days`.
 * - An empty text means today. The text after the days, or a known reason, is the reason.
 * - Any other text may contain days in another language (`bis freitag`) and leads to a question: a wrong day
 *   is worse.
 * - Days without a year are the next possible ones. `friday` may be today; `until friday` ends after the
 *   first day.
 * - `next friday` is in the week after this one; weeks begin on Monday.
 * - `3/4` is refused: it means April to some people and March to others.
 */
export function parseDays(text: string, today: string): TypedDays {
  const typed = text.trim();
  if (typed === '') return {from: today, until: today, reason: null};
  const read = readDays(typed, today);
  if (read !== undefined) return 'error' in read ? read : rejectDaysInReason(read, typed, today);
  const named = parseReasonBeforeDays(typed, today);
  if (named !== undefined) return named;
  if (partOfDay.test(typed)) return {error: 'part', reason: true};
  const isForeign = foreignDay.test(typed);
  const guess = isForeign ? undefined : guessMeantDays(typed, today);
  const isDay = looksLikeDay(typed);
  const isKnown = skipReasons.test(typed) && !isForeign;
  if (isKnown && !isDay && guess === undefined && !mentionsDay.test(typed))
    return {from: today, until: today, reason: readReason(typed)};
  return {error: 'date', ...(guess !== undefined && {guess}), ...(!isDay && {reason: true})};
}

type ReadDays = Exclude<TypedDays, {readonly error: 'date' | 'order' | 'part'}>;

/** Matches less than a day, which cannot be an absence: `half day`, `tomorrow morning`, `until noon`. */
const partOfDay = new RegExp(
  `^(?:(?:this|in the|for (?:a|the)|from|until|till|after|before|a|the)\\s+)*(?:half[ -]?(?:a\\s+)?day|half\\s+the\\s+day|mornings?|afternoons?|evenings?|noon|lunch(?:time)?|(?:an|one|two|\\d{1,2})\\s+hours?|\\d{1,2}(?::\\d{2})?\\s*(?:am|pm)|\\d{1,2}:\\d{2})${end}`,
  'iu',
);

/** Days in German, French and Spanish: a text that contains one is more than a reason. */
const foreignDay =
  /(?<!\p{L})(?:heute|morgen|übermorgen|uebermorgen|gestern|bis|ab|montags?|dienstags?|mittwochs?|donnerstags?|freitags?|samstags?|sonntags?|wochen?|woche|tage?n?|januar|februar|märz|maerz|mai|juni|juli|oktober|dezember|demain|jusqu\S*|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|semaines?|mañana|manana|hasta|lunes|martes|miércoles|miercoles|jueves|viernes|sábado|sabado|domingo|semanas?)(?!\p{L})/iu;

/** Reads days at the beginning of a text; undefined if there are none. */
function readDays(typed: string, today: string): TypedDays | undefined {
  const span = parsePeriod(typed, today);
  if (span === undefined) return undefined;
  const {from, until, rest} = preferCurrentPeriod(addLengthAfterDay(span), typed, today);
  // Days after `since` cannot be in the future.
  if (/^since\s/iu.test(typed) && from > today) return {error: 'date'};
  // A list such as `monday and tuesday` names further days after the first one.
  const more = /^\s*(?:,|and|&|\+)\s*(.+)$/iu.exec(rest)?.[1];
  if (more !== undefined && readDate(more, from, today) !== undefined) return {error: 'date'};
  if (until !== null && (until < from || until < today)) return {error: 'order'};
  return {from, until, reason: readReason(rest)};
}

/** Refuses a text whose reason seems to contain unreadable days: `tomorrow untl friday`. */
function rejectDaysInReason(read: ReadDays, typed: string, today: string): TypedDays {
  const {reason} = read;
  // The text after a colon is always a reason.
  if (reason === null || /:\s*$/.test(typed.slice(0, -reason.length))) return read;
  if (partOfDay.test(reason)) {
    const days = typed.slice(0, -reason.length).trimEnd();
    return {error: 'part', guess: `${days}: ${reason}`};
  }
  if (foreignDay.test(reason)) return {error: 'date'};
  const corrected = correctDays(reason);
  const isMistyped = corrected !== undefined && readDays(corrected.replace(joins, ''), today) !== undefined;
  if (!isMistyped && !/^unti?l/iu.test(reason)) return read;
  const whole = `${typed.slice(0, typed.length - reason.length)}${corrected ?? reason}`;
  const again = readDays(whole, today);
  const isRead = again !== undefined && !('error' in again) && again.reason === null;
  return {error: 'date', ...(isRead && {guess: whole})};
}

const joins = /^(?:and|or|&|\+)\s+/iu;

/** Matches a reason before the days: `sick until friday`. */
const reasonFirst =
  /^((?:(?:annual|parental|maternity|paternity|medical|paid|unpaid|sick)\s+)?leave|sick|ill|vacation|holidays?|pto|travell?ing|conference)(?:\s*[,:–—-]\s*|\s+)(\S.*)$/iu;

function parseReasonBeforeDays(typed: string, today: string): TypedDays | undefined {
  const [, name = '', rest = ''] = reasonFirst.exec(typed) ?? [];
  if (name === '') return undefined;
  const read = readDays(rest, today);
  const days = read === undefined || 'error' in read ? read : rejectDaysInReason(read, rest, today);
  if (days === undefined) return undefined;
  if ('error' in days) return days.guess === undefined ? days : {...days, guess: `${days.guess} ${name}`};
  return {...days, reason: days.reason === null ? name : `${name}, ${days.reason}`};
}

/** Returns the days with corrected spelling, or before their reason; undefined if that is no help. */
function guessMeantDays(typed: string, today: string): string | undefined {
  const spelt = correctDays(typed) ?? typed;
  for (const text of [spelt, `for ${spelt}`, ...moveDaysToFront(spelt)]) {
    const read = readDays(text, today) ?? parseReasonBeforeDays(text, today);
    if (text !== typed && read !== undefined && !('error' in read)) return text;
  }
  return undefined;
}

/** Moves the end to the front, once for each word: `dentist tomorrow` gives `tomorrow dentist`. */
function moveDaysToFront(text: string): string[] {
  const words = text.split(/\s+/);
  return words.length > maxWords
    ? []
    : words.slice(1).map((_, i) => [...words.slice(i + 1), ...words.slice(0, i + 1)].join(' '));
}

/** The maximum number of words in a text whose days the bot tries to guess. */
const maxWords = 12;

/** The date used for checks of the form of a text, which do not depend on the day. */
const someDay = '2028-01-01';

/** True if a text begins with days, so that `away` or `vacation` before it is clear. */
export function startsWithDays(text: string): boolean {
  return readDays(text.trim(), someDay) !== undefined;
}

/** True if a text begins with misspelt or unreadable days: `untill whenever`. */
export function startsWithMistypedDays(text: string): boolean {
  const spelt = correctDays(text.trim()) ?? text.trim();
  return /^(?:until|till?)\s/iu.test(spelt) || readDays(spelt, someDay) !== undefined;
}

export function containsDay(text: string): boolean {
  return (
    startsWithMistypedDays(text) ||
    mentionsDay.test(text) ||
    guessMeantDays(text.trim(), someDay) !== undefined
  );
}

interface ParsedDays {
  readonly from: string;
  readonly until: string | null;
  /** The number of days, if the text gave a first day and a length. */
  readonly days?: number;
  readonly rest: string;
}

/** Adds the length after a day: `friday for 2 weeks`. */
function addLengthAfterDay(span: ParsedDays): ParsedDays {
  const after = span.rest.trimStart();
  const length = span.until === span.from ? patterns.length.exec(after) : null;
  if (length === null) return span;
  const days = countDays(length);
  return {from: span.from, until: addDays(span.from, days - 1), days, rest: after.slice(length[0].length)};
}

/** Days that have begun are the current ones: `20 Dec to 10 Jan`, typed on 24 December. */
function preferCurrentPeriod(span: ParsedDays, typed: string, today: string): ParsedDays {
  const {from, until, days, rest} = span;
  const hasYear = /\d{4}/.test(typed.slice(0, typed.length - rest.length));
  const before = moveToLastYear(from);
  if (hasYear || before === undefined || before > today) return span;
  // If a period has no last day, the nearer of its two possible years counts.
  if (until === null || days !== undefined) {
    const end = days === undefined ? null : addDays(before, days - 1);
    const isNearer = Date.parse(today) - Date.parse(before) < Date.parse(from) - Date.parse(today);
    return isNearer && (end === null || end >= today) ? {from: before, until: end, rest} : span;
  }
  const end = moveToLastYear(until);
  return end !== undefined && from > today && end >= today ? {from: before, until: end, rest} : span;
}

function moveToLastYear(date: string): string | undefined {
  return formatDateIfValid(Number(date.slice(0, 4)) - 1, Number(date.slice(5, 7)), Number(date.slice(8)));
}

function parsePeriod(text: string, today: string): ParsedDays | undefined {
  const until = patterns.until.exec(text);
  if (until !== null) return parsePeriodEnd(text.slice(until[0].length).trimStart(), today, today, until[0]);
  const length = patterns.length.exec(text);
  if (length !== null) {
    const rest = text.slice(length[0].length);
    return {from: today, until: addDays(today, countDays(length) - 1), rest};
  }
  const week = patterns.week.exec(text) ?? patterns.restOfWeek.exec(text);
  if (week !== null) return {...parseWeekSpan(week[1] ?? '', today), rest: text.slice(week[0].length)};
  const several = readDayRange(text, today);
  if (several !== undefined) return several;
  const begin = patterns.from.exec(text);
  const first = readDate(begin === null ? text : text.slice(begin[0].length).trimStart(), today, today);
  if (first === undefined) return undefined;
  const {date: from, rest} = first;
  const join = dashAtStart.exec(rest);
  if (join === null) {
    // `from wednesday` ends when the person is back, unless a length follows.
    const isOpen = begin !== null && !/^on$/i.test(begin[0]) && !patterns.length.test(rest.trimStart());
    return {from, until: isOpen ? null : from, rest};
  }
  const ended = parsePeriodEnd(rest.slice(join[0].length), from, today, join[0]);
  // A dash may also begin the reason.
  if (ended === undefined && /[-–—]/.test(join[0])) return {from, until: from, rest};
  return ended;
}

/** Reads the end of a period that begins at `from`. `join`: the word between them. */
function parsePeriodEnd(text: string, from: string, today: string, join: string): ParsedDays | undefined {
  const open = patterns.open.exec(text);
  if (open !== null) return {from, until: null, rest: text.slice(open[0].length)};
  const week = patterns.week.exec(text);
  if (week !== null) {
    const {from: first, until: last} = parseWeekSpan(week[1] ?? '', today);
    // A member who is away until next week is back when that week begins.
    const isWithin = /thr/i.test(join) || /^this/i.test(week[0]);
    return {from, until: isWithin ? last : addDays(first, -1), rest: text.slice(week[0].length)};
  }
  const read = readDate(text, from, today);
  if (read === undefined) return undefined;
  // `until Monday`, typed on a Monday, means the next Monday: `until` never means the first day.
  const isWeekLater = read.date === from && isBareWeekday(text);
  return {from, until: isWeekLater ? addDays(from, 7) : read.date, rest: read.rest};
}

function isBareWeekday(text: string): boolean {
  const named = patterns.weekday.exec(text);
  return named !== null && !/^(?:this|next)/i.test(named[0]) && !patterns.dayOfNextWeek.test(text);
}

/** Reads a range of days: `24-28 Dec`, `Dec 24 to 28`. */
function readDayRange(text: string, today: string): ParsedDays | undefined {
  const before = patterns.daysOfMonth.exec(text);
  const after = before === null ? patterns.monthDays.exec(text) : null;
  const [whole = '', a = '', b = '', c = '', inYear] = before ?? after ?? [];
  if (whole === '') return undefined;
  const [first, last, name] = before === null ? [b, c, a] : [a, b, c];
  const from = chooseYearOfDate(parseMonth(name), Number(first), inYear, today);
  const until = from && chooseYearOfDate(parseMonth(name), Number(last), from.slice(0, 4), from);
  return from && until ? {from, until, rest: text.slice(whole.length)} : undefined;
}

/** True if a text begins like a day: a question is then better than a wrong absence. */
function looksLikeDay(text: string): boolean {
  const [first = '', second = ''] = text.toLowerCase().split(/\s+/);
  const dayName = new RegExp(`^(?:${month}|${weekday})$`, 'iu');
  return (
    patterns.until.test(text) ||
    /^(?:from|since|starting|next|this|end)$/.test(first) ||
    /^\d/.test(first) ||
    dayName.test(first) ||
    dayName.test(second) ||
    /^\d+[./-]\d+/.test(second)
  );
}

/** Matches a day within a possible reason: `dentist tomorrow` is not about today. */
const mentionsDay = new RegExp(
  `(?<![\\p{L}\\d])(?:tomorrow|until|till|next\\s+week|for\\s+(?:\\d{1,3}|an?|one|two|three)\\s+(?:day|week)s?|${weekday.replace('(?:day)?', 'day')}s?|${day}\\s*${month}|${month}\\s*${day})${end}`,
  'iu',
);

/** Returns the text after the days, without the words that join it to them. */
function readReason(rest: string): string | null {
  const reason = rest.replace(/^[\s,;:.–—-]+/u, '').trim();
  return reason === '' ? null : reason;
}
