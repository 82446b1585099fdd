import {addDays, type Weekday, findWeekday} from '../core/dates.js';
import {type Schedule} from './schedule.js';

/** The number of days to look back for a working day. After a longer absence, "yesterday" has no meaning. */
export const longestLookBack = 31;

const mondayToFriday: readonly Weekday[] = ['mon', 'tue', 'wed', 'thu', 'fri'];

/**
 * Returns the day that "yesterday" means on a date: the last earlier day on which the team meets and the
 * person was not off. Teams without a weekly schedule meet from Monday to Friday. It is the day before if
 * there is no such day within a month.
 */
export function findLastWorkingDay(
  schedule: Schedule | null,
  date: string,
  isOff: (date: string) => boolean,
): string {
  const weekly = schedule?.frequency === 'weekly' && schedule.interval === 1;
  const days = weekly ? schedule.days : mondayToFriday;
  for (let back = 1; back <= longestLookBack; back++) {
    const day = addDays(date, -back);
    if (days.includes(findWeekday(day)) && !isOff(day)) return day;
  }
  return addDays(date, -1);
}
