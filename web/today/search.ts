import {isDay} from '../parts/days.ts';

/** In the address of Today when it shows a day other than today. */
export interface TodaySearch {
  readonly date?: string;
}

export function readTodaySearch({date}: Record<string, unknown>): TodaySearch {
  return typeof date === 'string' && isDay(date) ? {date} : {};
}
