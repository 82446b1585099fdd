import type {Calendar} from './dates.js';

/** Reads and sets wall clocks by zone data, never by offsets. Dates are `YYYY-MM-DD`, times `HH:MM`, instants ms since the epoch. */
export interface Zones extends Calendar {
  /**
   * When clocks in an IANA zone show this date and time. A time that is left out there (spring forward) is the first minute after the gap, one
   * that comes twice (fall back) its first occurrence. On a day that is left out whole it is the first minute of the day after.
   */
  instantOf: (timezone: string, date: string, time: string) => number;
  /** What clocks in an IANA zone show at an instant. */
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
