import {addDays} from '../core/dates.js';
import {type Schedule, type Weekday, weekdayOf} from './schedule.js';

/** Days looked back for one on which somebody was at work: longer absences say nothing of yesterday any more. */
export const longestLookBack = 31;

const mondayToFriday: readonly Weekday[] = ['mon', 'tue', 'wed', 'thu', 'fri'];

/**
 * The day that "yesterday" is about on a date: the last one before it that the team meets on (Monday to Friday where its schedule does not
 * say it for every week) and on which the person was not off. The day before when there is none within a month.
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
