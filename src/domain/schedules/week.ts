import {addDays} from '../core/dates.js';
import {isRunDay, type Schedule, weekdayOf, weekdays} from './schedule.js';

/** Returns the first day of the week that contains a date. */
export function mondayOf(date: string): string {
  return addDays(date, -weekdays.indexOf(weekdayOf(date)));
}

/** Returns the last day of the week that begins on a date. */
export function sundayOf(monday: string): string {
  return addDays(monday, 6);
}

/** True when a schedule has another run later in the same week. */
export function hasLaterRun(schedule: Schedule, date: string): boolean {
  const last = sundayOf(mondayOf(date));
  for (let day = addDays(date, 1); day <= last; day = addDays(day, 1))
    if (isRunDay(schedule, day)) return true;
  return false;
}
