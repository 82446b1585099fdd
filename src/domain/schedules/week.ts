import {addDays, findWeekday, weekdays} from '../core/dates.js';
import {isRunDay, type Schedule} from './schedule.js';

export function findMondayOf(date: string): string {
  return addDays(date, -weekdays.indexOf(findWeekday(date)));
}

export function findSundayOf(monday: string): string {
  return addDays(monday, 6);
}

/** True when a schedule has another run later in the same week. */
export function hasLaterRun(schedule: Schedule, date: string): boolean {
  const last = findSundayOf(findMondayOf(date));
  for (let day = addDays(date, 1); day <= last; day = addDays(day, 1))
    if (isRunDay(schedule, day)) return true;
  return false;
}
