import type {Calendar} from './dates.js';

/**
 * Converts between wall clocks and instants by zone data, never by offsets. Dates are `YYYY-MM-DD`, times
 * `HH:MM`, instants ms since the epoch.
 */
export interface Zones extends Calendar {
  /**
   * The instant at which clocks in an IANA zone show this date and time. A time that is left out there
   * (spring forward) becomes the first minute after the gap, and one that comes twice (fall back) its first
   * occurrence. Any time on a day that is left out whole becomes the first minute of the day after.
   */
  instantOf: (timezone: string, date: string, time: string) => number;
  /** The date and time that clocks in an IANA zone show at an instant. */
  clockAt: (timezone: string, ms: number) => {readonly date: string; readonly time: string};
}

const timePattern = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

/** True for a time of day from `00:00` to `23:59`. */
export function isClockTime(value: string): boolean {
  return timePattern.test(value);
}

/** Minutes since midnight. */
export function minuteOfDay(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}
