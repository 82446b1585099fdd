import type {Calendar} from './dates.js';

/**
 * Converts between local times and instants with time zone data, and never with fixed offsets. Dates are
 * `YYYY-MM-DD`, times `HH:MM`, instants ms since the epoch.
 */
export interface Zones extends Calendar {
  /**
   * Returns the instant at which clocks in a time zone show this date and time. A time that is skipped in
   * spring becomes the first minute after the gap. A time that occurs twice in autumn becomes its first
   * occurrence. A time on a day that is skipped completely becomes the first minute of the next day.
   */
  instantOf: (timezone: string, date: string, time: string) => number;
  /** Returns the date and time that clocks in a time zone show at an instant. */
  clockAt: (timezone: string, ms: number) => {readonly date: string; readonly time: string};
}

const timePattern = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

/** True for a time of day from `00:00` to `23:59`. */
export function isClockTime(value: string): boolean {
  return timePattern.test(value);
}

export function parseMinuteOfDay(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}
