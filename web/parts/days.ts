// Calendar dates in the API's format, such as `2026-11-20`.
import {locale} from '../texts/texts.ts';

const dayMs = 86_400_000;

/** Whether a text is a valid date. */
export function isValidDate(text: string): boolean {
  const instant = Date.parse(`${text}T00:00:00Z`);
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(instant || 0).toISOString().startsWith(text);
}

export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}

export function daysBetween(from: string, until: string): number {
  return Math.round((Date.parse(until) - Date.parse(from)) / dayMs);
}

/** Weekday of a date, from 0 for Monday to 6 for Sunday. */
export function weekdayOf(date: string): number {
  return (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7;
}

/** Formats some fields of a date in the app's language, such as `Mon`, `23` or `November 2026`. */
export function formatDateFields(date: string, fields: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(locale, {...fields, timeZone: 'UTC'}).format(new Date(`${date}T00:00:00Z`));
}
