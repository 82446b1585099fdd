// Days of the calendar as the API writes them: `2026-11-20`.
import {locale} from '../words/words.ts';

const dayMs = 86_400_000;

export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}

export function daysBetween(from: string, until: string): number {
  return Math.round((Date.parse(until) - Date.parse(from)) / dayMs);
}

/** The Monday of its week. */
export function mondayOf(date: string): string {
  return addDays(date, -((new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7));
}

/** One field of a day as people write it: `Mon`, `23`, `Nov`. */
export function partOfDay(date: string, field: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(locale, {...field, timeZone: 'UTC'}).format(new Date(`${date}T00:00:00Z`));
}
