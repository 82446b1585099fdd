import {isDay} from '../parts/days.ts';

/** Stands in the address of Today: another day than this one. */
export interface TodaySearch {
  readonly date?: string;
}

export function readTodaySearch({date}: Record<string, unknown>): TodaySearch {
  return typeof date === 'string' && isDay(date) ? {date} : {};
}
