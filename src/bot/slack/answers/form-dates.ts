import {z} from 'zod';
import {isCalendarDate} from '../../../domain/core/dates.js';
import {suffixOf, type Id} from '../../../domain/core/ids.js';
import {slackLimits} from '../blocks/names.js';

/** For each date, the joined id suffixes of its teams: so short that a whole list fits into a button. */
export const formDates = z.record(z.string().refine(isCalendarDate), z.string()).readonly();

export type FormDates = z.infer<typeof formDates>;

export function packDates(dates: Iterable<readonly [team: Id<'team'>, date: string]>): FormDates {
  const packed: Record<string, string> = {};
  for (const [team, date] of [...dates].slice(0, slackLimits.options)) {
    const before = packed[date];
    packed[date] = before === undefined ? suffixOf(team) : `${before} ${suffixOf(team)}`;
  }
  return packed;
}

/** Returns the date of a team; undefined for a team without a date. */
export function findTeamDate(dates: FormDates | undefined, team: Id<'team'>): string | undefined {
  const found = Object.entries(dates ?? {}).find(([, teams]) => teams.split(' ').includes(suffixOf(team)));
  return found?.[0];
}
