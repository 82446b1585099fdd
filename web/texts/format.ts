// Formats times, dates, ages and numbers in the viewer's language.
import {locale, texts} from './texts.ts';

/** An instant as the API's string, in ms, or as a `Date`. */
export type Instant = string | number | Date;

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Formats a time of day: `11:00`, or `11:00 AM` by locale. Without a zone, uses this device's clock. */
export function formatTime(instant: Instant, zone?: string): string {
  return dateFormat({...clockOptions(), ...zoneOption(zone)}).format(toDate(instant));
}

/**
 * The time by the viewer's clock, followed by the team's when it differs: `16:30 (11:30 in New York)`. Adds
 * the day to a time that is not on `date`.
 */
export function formatViewerAndTeamTime(instant: Instant, zone: string, date: string): string {
  return `${formatTimeWithDay(instant, date)}${formatOtherZoneSuffix(instant, zone, date)}`;
}

/** Formats a time as `16:30`, or as `Fri 27 Nov, 00:30` when it is not on `date`. */
export function formatTimeWithDay(instant: Instant, date: string, zone?: string): string {
  const day = dateInZone(instant, zone);
  const time = formatTime(instant, zone);
  return day === date ? time : texts.parts.timeOn({day: formatDay(day, {weekday: true}), time});
}

/** Formats the time in a zone as ` (11:30 in New York)`; empty when that clock shows the viewer's time. */
export function formatOtherZoneSuffix(instant: Instant, zone: string, date: string): string {
  const theirs = formatTimeWithDay(instant, date, zone);
  return theirs === formatTimeWithDay(instant, date)
    ? ''
    : ` (${texts.parts.timeIn({time: theirs, city: formatCity(zone)})})`;
}

/** Returns the city of a time zone: `New York` for `America/New_York`. */
export function formatCity(zone: string): string {
  return zone.split('/').at(-1)?.replaceAll('_', ' ') ?? zone;
}

/** Formats an instant in full, for titles: `Friday, 20 November 2026 at 11:00 CET`. */
export function formatMoment(instant: Instant, zone?: string): string {
  return dateFormat({
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    ...clockOptions(),
    timeZoneName: 'short',
    ...zoneOption(zone),
  }).format(toDate(instant));
}

/** Formats a date (`2026-11-20`) as `20 Nov`, with its year unless that is the current one. */
export function formatDay(
  date: string,
  {weekday, now = Date.now()}: {weekday?: boolean | 'short' | 'long' | undefined; now?: Instant} = {},
): string {
  return dateFormat({
    ...(weekday !== undefined && weekday !== false && {weekday: weekday === true ? 'short' : weekday}),
    ...dateOptionsFor([date], now),
  }).format(midnightUtcOf(date));
}

/** Formats a date in full: `Friday, 20 November 2026`. */
export function formatDayLong(date: string): string {
  return dateFormat({
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  }).format(midnightUtcOf(date));
}

/** Formats a span of days, both ends included: `20–24 Nov`. Without an end: `from 20 Nov`. */
export function formatSpan(from: string, until: string | null, now: Instant = Date.now()): string {
  if (until === null) return texts.parts.from({day: formatDay(from, {now})});
  if (from === until) return formatDay(from, {now});
  return dateFormat(dateOptionsFor([from, until], now)).formatRange(
    midnightUtcOf(from),
    midnightUtcOf(until),
  );
}

/** Formats the time since an instant, or a number of ms, such as `3 d`. */
export function formatAge(age: string | Date | number, now: Instant = Date.now()): string {
  const ms = typeof age === 'number' ? age : toDate(now).getTime() - toDate(age).getTime();
  const {minutes, hours, days} = texts.parts.age;
  if (ms < minute) return texts.parts.now;
  if (ms < hour) return minutes({amount: Math.floor(ms / minute)});
  if (ms < 2 * day) return hours({amount: Math.floor(ms / hour)});
  return days({amount: Math.floor(ms / day)});
}

/** Formats a time: `in 34 min`, `2 h ago`. Rounds future times up, so none reads `now` too early. */
export function formatRelative(instant: Instant, now: Instant = Date.now()): string {
  const ms = toDate(instant).getTime() - toDate(now).getTime();
  if (ms > 0) return texts.parts.ahead({age: formatAge(Math.ceil(ms / minute) * minute)});
  return -ms < minute ? texts.parts.now : texts.parts.ago({age: formatAge(-ms)});
}

/** Formats the time since a past event: `just now`, `2 h ago`. The event's clock may be ahead of this one. */
export function formatTimeSince(instant: Instant, now: Instant = Date.now()): string {
  const then = Math.min(toDate(instant).getTime(), toDate(now).getTime());
  return formatRelative(then, now);
}

export function formatNumber(value: number, options: Intl.NumberFormatOptions = {}): string {
  return new Intl.NumberFormat(locale, options).format(value);
}

/** Formats a list: `Ada, Bob and Cem`. A disjunction has “or” in place of “and”. */
export function formatList(names: readonly string[], type: Intl.ListFormatType = 'conjunction'): string {
  return new Intl.ListFormat(locale, {type}).format(names);
}

/** Formats a number of minutes: `30 minutes`, `2 hours`. */
export function formatDuration(minutes: number): string {
  const [unit, count] = minutes % 60 === 0 ? ['hour', minutes / 60] : ['minute', minutes];
  return formatNumber(count, {style: 'unit', unit, unitDisplay: 'long'});
}

/** Formats a time zone as its city and its UTC offset at that instant: `Berlin, GMT+1`. */
export function formatZone(zone: string, now: Instant = Date.now()): string {
  const city = formatCity(zone);
  const offset = offsetName(zone, now);
  return !zone.includes('/') || offset === undefined ? city : `${city}, ${offset}`;
}

/** Returns the calendar date of an instant in a zone, such as `2026-11-20`. */
export function dateInZone(instant: Instant, zone?: string): string {
  const format = new Intl.DateTimeFormat('en', {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    ...zoneOption(zone),
  });
  const found = Object.fromEntries(
    format.formatToParts(toDate(instant)).map(({type, value}) => [type, value]),
  );
  return `${found['year']}-${found['month']}-${found['day']}`;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function dateFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${JSON.stringify(options)}`;
  let format = formats.get(key);
  if (format === undefined) formats.set(key, (format = new Intl.DateTimeFormat(locale, options)));
  return format;
}

/** Formats a full hour on an axis in short form: `9 AM` or `09:00`. */
export function formatHour(instant: Instant, zone?: string): string {
  const {hour12} = dateFormat({hour: 'numeric'}).resolvedOptions();
  if (hour12 !== true) return formatTime(instant, zone);
  return dateFormat({hour: 'numeric', ...zoneOption(zone)}).format(toDate(instant));
}

/** Formats a full hour of any day, like {@link formatHour}. */
export function formatHourOfDay(hours: number): string {
  return formatHour(hours * hour, 'UTC');
}

/** Options for a time of day by locale: `9:00 AM` or `09:00`. */
function clockOptions(): Intl.DateTimeFormatOptions {
  const {hour12} = dateFormat({hour: 'numeric'}).resolvedOptions();
  return {hour: hour12 === true ? 'numeric' : '2-digit', minute: '2-digit'};
}

/** For a zone that the browser does not know, the browser's own zone applies. */
function zoneOption(zone: string | undefined): {timeZone?: string} {
  return zone !== undefined && isZone(zone) ? {timeZone: zone} : {};
}

const known = new Map<string, boolean>();

export function isZone(zone: string): boolean {
  let is = known.get(zone);
  if (is === undefined) {
    try {
      new Intl.DateTimeFormat('en', {timeZone: zone});
      is = true;
    } catch {
      is = false;
    }
    known.set(zone, is);
  }
  return is;
}

function offsetName(zone: string, now: Instant): string | undefined {
  if (!isZone(zone)) return undefined;
  return dateFormat({timeZone: zone, timeZoneName: 'shortOffset'})
    .formatToParts(toDate(now))
    .find(({type}) => type === 'timeZoneName')?.value;
}

function dateOptionsFor(dates: readonly string[], now: Instant): Intl.DateTimeFormatOptions {
  const year = String(toDate(now).getFullYear());
  const isThisYear = dates.every((date) => date.startsWith(year));
  return {day: 'numeric', month: 'short', timeZone: 'UTC', ...(!isThisYear && {year: 'numeric'})};
}

function toDate(instant: Instant): Date {
  return instant instanceof Date ? instant : new Date(instant);
}

function midnightUtcOf(date: string): Date {
  return new Date(`${date}T00:00:00Z`);
}
