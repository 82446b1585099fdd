import {addDays} from '../core/dates.js';
import {type Schedule, type Weekday, weekdayOf} from './schedule.js';

/** Days to look back for a day at work: after a longer absence, "yesterday" means nothing any more. */
export const longestLookBack = 31;

const mondayToFriday: readonly Weekday[] = ['mon', 'tue', 'wed', 'thu', 'fri'];

/**
 * The day that "yesterday" means on a date: the last one before it on which the team meets (Monday to Friday
 * unless its schedule is for every week) and the person was not off. The day before when there is none within
 * a month.
 */
export function lastWorkingDay(
  schedule: Schedule | null,
  date: string,
  isOff: (date: string) => boolean,
): string {
  const weekly = schedule?.frequency === 'weekly' && schedule.interval === 1;
  const days = weekly ? schedule.days : mondayToFriday;
  for (let back = 1; back <= longestLookBack; back++) {
    const day = addDays(date, -back);
    if (days.includes(weekdayOf(day)) && !isOff(day)) return day;
  }
  return addDays(date, -1);
}
