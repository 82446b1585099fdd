import {isValidDate} from '../parts/days.ts';

/** Date in the address of the Today page, when the page shows a day other than today. */
export interface TodaySearch {
  readonly date?: string;
}

export function readTodaySearch({date}: Record<string, unknown>): TodaySearch {
  return typeof date === 'string' && isValidDate(date) ? {date} : {};
}
