import {addDays} from '../core/dates.js';
import {isRunDay, type Schedule, weekdayOf, weekdays} from './schedule.js';

/** The first day of the week that a date is in. */
export function mondayOf(date: string): string {
  return addDays(date, -weekdays.indexOf(weekdayOf(date)));
}

/** The last day of the week that begins on a date. */
export function sundayOf(monday: string): string {
  return addDays(monday, 6);
}

/** Whether a schedule has another run in the week of a date, after that date. */
export function hasLaterRun(schedule: Schedule, date: string): boolean {
  const last = sundayOf(mondayOf(date));
  for (let day = addDays(date, 1); day <= last; day = addDays(day, 1))
    if (isRunDay(schedule, day)) return true;
  return false;
}
