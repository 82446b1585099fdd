import {isValidDate} from '../parts/days.ts';

export interface TodaySearch {
  readonly date?: string;
}

export function readTodaySearch({date}: Record<string, unknown>): TodaySearch {
  return typeof date === 'string' && isValidDate(date) ? {date} : {};
}
