// Days of the calendar as the API writes them: `2026-11-20`.
import {locale} from '../words/words.ts';

const dayMs = 86_400_000;

/** Days of a time, both ends inclusive; `until` null: it has no end yet. */
export interface Span {
  readonly from: string;
  readonly until: string | null;
}

export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}

export function daysBetween(from: string, until: string): number {
  return Math.round((Date.parse(until) - Date.parse(from)) / dayMs);
}

/** 0 for Monday to 6 for Sunday. */
export function weekdayOf(date: string): number {
  return (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7;
}

/** From Monday to Sunday. */
export function weekOf(date: string): {readonly from: string; readonly until: string} {
  const from = addDays(date, -weekdayOf(date));
  return {from, until: addDays(from, 6)};
}

/** Of `2026-11`. */
export function daysOfMonth(month: string): readonly string[] {
  const first = `${month}-01`;
  const length = daysBetween(first, `${addMonths(month, 1)}-01`);
  return Array.from({length}, (_, i) => addDays(first, i));
}

export function addMonths(month: string, months: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 7);
}

/** `November 2026`. */
export function nameOfMonth(month: string): string {
  return say(`${month}-01`, {month: 'long', year: 'numeric'});
}

/** `M`, for the head of a column. */
export function letterOfDay(date: string): string {
  return say(date, {weekday: 'narrow'});
}

export function say(date: string, fields: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(locale, {...fields, timeZone: 'UTC'}).format(new Date(`${date}T00:00:00Z`));
}

export function overlaps(one: Span, other: Span): boolean {
  return (other.until === null || one.from <= other.until) && (one.until === null || one.until >= other.from);
}
