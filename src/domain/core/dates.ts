import {suggestNearMatches} from './text.js';

/** Calendar days are `YYYY-MM-DD` strings; instants are RFC 3339 UTC with milliseconds. */

const dayMs = 86_400_000;
const epochDay = Date.UTC(2000, 0, 1) / dayMs;
/** Matches `YYYY-MM-DD`. There is no year 0. */
const datePattern = /^(?!0000)\d{4}-\d{2}-\d{2}$/;

/** True for a date that exists; `2026-02-29` does not. */
export function isCalendarDate(value: string): boolean {
  if (!datePattern.test(value)) return false;
  const ms = Date.parse(`${value}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(value);
}

/** The last result of `dayNumber`, since most writes concern one day. */
let [knownDate, knownDay] = ['', 0];

/** Returns the number of days since 2000-01-01, by which lists are sorted. Earlier days count as day 0. */
export function dayNumber(date: string): number {
  if (date !== knownDate) {
    knownDay = Math.max(0, Date.parse(`${date}T00:00:00Z`) / dayMs - epochDay);
    knownDate = date;
  }
  return knownDay;
}

/** Returns the number of days between two dates. It is negative when the second date is earlier. */
export function countDaysBetween(from: string, until: string): number {
  return (Date.parse(`${until}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / dayMs;
}

export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}

/** A clock that shows the time of Redis in ms. */
export interface Clock {
  now: () => number;
  /** False for some minutes after the clock has jumped: then nothing expires or counts as missed. */
  isSteady: () => boolean;
}

export type Calendar = ReturnType<typeof createCalendar>;

/** A quarter of an hour. In all time zones, a new day begins at a multiple of it. */
const quarterMs = 15 * 60_000;

interface Zone {
  readonly format: Intl.DateTimeFormat;
  quarter: number;
  day: string;
}

/**
 * Creates the calendar of time zones. It caches one formatter for each zone, because creating a formatter
 * takes about 50 µs, and the last formatted day until the day may have changed. Different spellings of a
 * zone's name share a formatter.
 */
export function createCalendar() {
  const zones = new Map<string, Zone>();
  return {
    /** Returns the calendar day in a time zone at an instant (ms since the epoch). */
    dayIn(timezone: string, ms: number): string {
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

/** True for the name of an IANA time zone. Offsets such as `+02:00` are no time zones. */
export function isTimezone(value: string): boolean {
  if (!/^[A-Za-z]/.test(value)) return false;
  try {
    new Intl.DateTimeFormat('en', {timeZone: value});
    return true;
  } catch {
    return false;
  }
}

/** Returns a sentence that suggests the time zone that was probably meant, also by the name of its city. */
export function suggestTimezone(typed: string): string {
  const zones = Intl.supportedValuesOf('timeZone');
  const city = `/${typed.trim().toLowerCase().replaceAll(' ', '_')}`;
  const meant = zones.find((zone) => zone.toLowerCase().endsWith(city));
  return meant === undefined ? suggestNearMatches(typed, zones) : ` Did you mean "${meant}"?`;
}

const instantPattern = /^(\d{4}-\d{2}-\d{2})[Tt]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:\d{2})$/;

/** Parses an RFC 3339 instant into ms since the epoch; undefined for all else, as without an offset. */
export function parseInstant(value: string): number | undefined {
  const day = instantPattern.exec(value)?.[1];
  if (day === undefined || !isCalendarDate(day)) return undefined;
  const ms = Date.parse(value.toUpperCase());
  return Number.isNaN(ms) ? undefined : ms;
}

/** The last results of `toInstant`: instants of the same second or the same day share parts of their text. */
let [knownSecond, knownFront] = [Number.NaN, ''];
let [instantDay, instantDate] = [Number.NaN, ''];

/** Formats an instant as the API shows it. */
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

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof weekdays)[number];

export function findWeekday(date: string): Weekday {
  return weekdays[(new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7] ?? 'mon';
}
