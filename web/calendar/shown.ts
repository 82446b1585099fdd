import type {Me, Member, Schema} from '../api/schema.ts';
import {weekdayOf} from '../parts/days.ts';
import {locale} from '../texts/texts.ts';

/** Sorts people by name, with the viewer first. */
export function sortViewerFirst(
  people: readonly Member[],
  {principal}: Pick<Me, 'principal'>,
): readonly Member[] {
  return people.toSorted(
    (a, b) =>
      Number(b.id === principal.id) - Number(a.id === principal.id) ||
      a.name.localeCompare(b.name, locale, {numeric: true}),
  );
}

/** True for a day without standups: by the team's weekly schedule, otherwise a weekend day. */
export function isFreeDay(date: string, schedule: Schema<'Team'>['schedule'] | undefined): boolean {
  const days = schedule?.frequency === 'weekly' ? schedule.days : workingDays;
  return !days.some((day) => weekdays.indexOf(day) === weekdayOf(date));
}

const weekdays: readonly string[] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const workingDays: readonly string[] = weekdays.slice(0, 5);
