import {useQueries} from '@tanstack/react-query';
import type {Schema} from '../api/schema.ts';
import {dayQuery, openRunsQuery} from './queries.ts';
import {dateFor, type Standing, standingOf} from './standing.ts';

type TeamDay = Schema<'TeamDay'>;

/** A team that a standup is for, and how it would come there. */
export interface Goal {
  readonly team: Schema<'Team'>;
  /** Empty while it is not known. */
  readonly date: string;
  /** What it is for by itself. */
  readonly ownDate: string;
  readonly standing: Standing | undefined;
  readonly posted: TeamDay['people'][number]['standups'];
}

export function useGoals(
  teams: readonly Schema<'Team'>[],
  me: Schema<'Me'>,
  chosen: string | null,
  now: number,
): readonly Goal[] {
  const runs = useQueries({queries: teams.map(({slug}) => openRunsQuery(slug))});
  const ownDates = teams.map((team, index) => {
    const {data: open, isError} = runs[index] ?? {};
    return open === undefined && isError !== true ? '' : dateFor(team, open ?? [], me, now);
  });
  const dates = ownDates.map((date) => chosen ?? date);
  const days = useQueries({queries: teams.map(({slug}, index) => dayQuery(slug, dates[index] ?? ''))});
  return teams.map((team, index) => {
    const day = days[index]?.data;
    return {
      team,
      date: dates[index] ?? '',
      ownDate: ownDates[index] ?? '',
      standing: day && standingOf(day, team, me.principal.id, now),
      posted: day?.people.find(({member}) => member.id === me.principal.id)?.standups ?? [],
    };
  });
}
