// Weeks and months of dates in the API's format, such as `2026-11-20`.
import {addDays, daysBetween, formatDateFields, weekdayOf} from '../parts/days.ts';

/** A range of days, both ends included; `until` is null if there is no end yet. */
export interface DayRange {
  readonly from: string;
  readonly until: string | null;
}

export function findWeek(date: string): {readonly from: string; readonly until: string} {
  const from = addDays(date, -weekdayOf(date));
  return {from, until: addDays(from, 6)};
}

/** The days of a month such as `2026-11`. */
export function listDaysOfMonth(month: string): readonly string[] {
  const first = `${month}-01`;
  const length = daysBetween(first, `${addMonths(month, 1)}-01`);
  return Array.from({length}, (_, i) => addDays(first, i));
}

export function addMonths(month: string, months: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 7);
}

export function formatMonth(month: string): string {
  return formatDateFields(`${month}-01`, {month: 'long', year: 'numeric'});
}

export function doRangesOverlap(one: DayRange, other: DayRange): boolean {
  return (other.until === null || one.from <= other.until) && (one.until === null || one.until >= other.from);
}
