import {useQueries} from '@tanstack/react-query';
import {useState} from 'react';
import type {Schema, TeamDay} from '../api/schema.ts';
import type {StandupDraft} from './draft.ts';
import {dayQuery, openRunsQuery} from './queries.ts';
import {findStandupDate, type PostingStatus, findPostingStatus} from './posting-status.ts';

/** A team that the standup is for, with the standup's day and status in this team. */
export interface Goal {
  readonly team: Schema<'Team'>;
  /** The standup's day in the team; empty while that is not known. */
  readonly date: string;
  /**
   * The default day when the draft was started, if it is the same in all chosen teams. Otherwise the default
   * day of now, since a post without a date gets each team's current day.
   */
  readonly ownDate: string;
  /** Default day of a standup that is started now. */
  readonly dateNow: string;
  readonly postingStatus: PostingStatus | undefined;
  readonly posted: TeamDay['people'][number]['standups'];
}

export function useGoals(
  teams: readonly Schema<'Team'>[],
  me: Schema<'Me'>,
  {key, date: chosen, days: begun}: StandupDraft,
  now: number,
): readonly Goal[] {
  const runs = useQueries({queries: teams.map(({slug}) => openRunsQuery(slug))});
  const datesNow = teams.map((team, index) => {
    const {data: open, isError} = runs[index] ?? {};
    return open === undefined && isError !== true ? '' : findStandupDate(team, open ?? [], me, now);
  });
  const [held, hold] = useState<{readonly key: string; readonly days: StandupDraft['days']}>({key, days: {}});
  const known: StandupDraft['days'] = {...(held.key === key && held.days), ...begun};
  const begunDates = teams.map(({slug}, index) => known[slug] ?? datesNow[index] ?? '');
  const ownDates = new Set(begunDates).size === 1 ? begunDates : datesNow;
  const news = teams.flatMap(({slug}, index): (readonly [string, string])[] => {
    const date = begunDates[index] ?? '';
    return known[slug] === undefined && date !== '' ? [[slug, date]] : [];
  });
  if (news.length > 0) hold({key, days: {...known, ...Object.fromEntries(news)}});
  const dates = ownDates.map((date) => chosen ?? date);
  const days = useQueries({queries: teams.map(({slug}, index) => dayQuery(slug, dates[index] ?? ''))});
  return teams.map((team, index) => {
    const day = days[index]?.data;
    return {
      team,
      date: dates[index] ?? '',
      ownDate: ownDates[index] ?? '',
      dateNow: datesNow[index] ?? '',
      postingStatus: day && findPostingStatus(day, team, me.principal.id, now),
      posted: day?.people.find(({member}) => member.id === me.principal.id)?.standups ?? [],
    };
  });
}
