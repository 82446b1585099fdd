import {didYouMean} from './text.js';

/** Calendar days are `YYYY-MM-DD` strings; instants are RFC 3339 UTC with milliseconds. */

const dayMs = 86_400_000;
const epochDay = Date.UTC(2000, 0, 1) / dayMs;
/** There is no year 0. */
const datePattern = /^(?!0000)\d{4}-\d{2}-\d{2}$/;

/** True for a day that exists: `2026-02-29` does not. */
export function isCalendarDate(value: string): boolean {
  if (!datePattern.test(value)) return false;
  const ms = Date.parse(`${value}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(value);
}

/** Keeps the last result, since most writes concern one day. */
let [knownDate, knownDay] = ['', 0];

/** Days since 2000-01-01, by which lists are ordered. Earlier days count as day 0. */
export function dayNumber(date: string): number {
  if (date !== knownDate) {
    knownDay = Math.max(0, Date.parse(`${date}T00:00:00Z`) / dayMs - epochDay);
    knownDate = date;
  }
  return knownDay;
}

/**
 * Days from one date to another; negative when the second comes first. Any two dates, as people type them.
 */
export function daysBetween(from: string, until: string): number {
  return (Date.parse(`${until}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / dayMs;
}

/** The calendar day `days` after `date`. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}

/** Redis time in ms. */
export interface Clock {
  now: () => number;
  /** False for some minutes after the clock has jumped: nothing is given up, missed or erased by it then. */
  isSteady: () => boolean;
}

export interface Calendar {
  /** The calendar day in an IANA zone at an instant (ms since the epoch). */
  dayIn: (timezone: string, ms: number) => string;
}

/** Zones change their day only at a whole quarter of an hour. */
const quarterMs = 15 * 60_000;

interface Zone {
  readonly format: Intl.DateTimeFormat;
  quarter: number;
  day: string;
}

/**
 * Reads calendar days through the platform's zone data. Keeps one formatter for each zone, since making one
 * takes about 50 µs, and its last result until the day can have changed. A zone has one formatter, however
 * its name is spelled: there are some 600 names, in any case of letters.
 */
export function createCalendar(): Calendar {
  const zones = new Map<string, Zone>();
  return {
    dayIn(timezone, ms) {
      const name = timezone.toLowerCase();
      let zone = zones.get(name);
      if (zone === undefined) {
        const format = new Intl.DateTimeFormat('en-CA', {timeZone: timezone, dateStyle: 'short'});
        zone = {format, quarter: Number.NaN, day: ''};
        zones.set(name, zone);
      }
      const quarter = Math.floor(ms / quarterMs);
      if (zone.quarter !== quarter) {
        zone.quarter = quarter;
        zone.day = zone.format.format(ms);
      }
      return zone.day;
    },
  };
}

/** True for an IANA zone name of the platform's zone data (offsets such as `+02:00` are not zones). */
export function isTimezone(value: string): boolean {
  if (!/^[A-Za-z]/.test(value)) return false;
  try {
    new Intl.DateTimeFormat('en', {timeZone: value});
    return true;
  } catch {
    return false;
  }
}

/** The sentence that suggests the zone that was probably meant, also by its city. */
export function suggestTimezone(typed: string): string {
  const zones = Intl.supportedValuesOf('timeZone');
  const city = `/${typed.trim().toLowerCase().replaceAll(' ', '_')}`;
  const meant = zones.find((zone) => zone.toLowerCase().endsWith(city));
  return meant === undefined ? didYouMean(typed, zones) : ` Did you mean "${meant}"?`;
}

const instantPattern = /^(\d{4}-\d{2}-\d{2})[Tt]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:\d{2})$/;

/** An RFC 3339 instant in ms since the epoch; undefined for anything else, also for one without an offset. */
export function parseInstant(value: string): number | undefined {
  const day = instantPattern.exec(value)?.[1];
  if (day === undefined || !isCalendarDate(day)) return undefined;
  const ms = Date.parse(value.toUpperCase());
  return Number.isNaN(ms) ? undefined : ms;
}

/** Caches: instants of one second share most of their text, and instants of one day share their date. */
let [knownSecond, knownFront] = [Number.NaN, ''];
let [instantDay, instantDate] = [Number.NaN, ''];

/** An instant as the API shows it. */
export function toInstant(ms: number): string {
  const whole = Math.trunc(ms);
  const second = Math.floor(whole / 1_000);
  if (second !== knownSecond) {
    const day = Math.floor(second / 86_400);
    if (day !== instantDay) {
      instantDate = new Date(day * dayMs).toISOString().slice(0, -13);
      instantDay = day;
    }
    const rest = second - day * 86_400;
    const minutes = Math.floor(rest / 60);
    knownFront = `${instantDate}${digits2[Math.floor(minutes / 60)]}:${digits2[minutes % 60]}:${digits2[rest % 60]}.`;
    knownSecond = second;
  }
  return `${knownFront}${thousandths[whole - second * 1_000]}Z`;
}

const digits2 = Array.from({length: 60}, (_, i) => String(i).padStart(2, '0'));
const thousandths = Array.from({length: 1_000}, (_, i) => String(i).padStart(3, '0'));
