import {queryOptions} from '@tanstack/react-query';
import {readQuery, readRows, readRowsQuery} from '../api/read.ts';
import type {ShownStandup} from '../api/schema.ts';
import {addDays} from '../parts/days.ts';

export const ownTeamsQuery = readRowsQuery('listTeams', '/v1/teams', {member: 'me', limit: 100});

export const openRunsQuery = (team: string) =>
  readRowsQuery('listRuns', '/v1/teams/{team}/runs', {team, state: 'open', limit: 10});

export const dayQuery = (team: string, date: string) => ({
  ...readQuery('getTeamDay', '/v1/teams/{team}/days/{date}', {team, date}),
  enabled: date !== '',
});

/** Maximum number of pages read: a filtered page may be empty although more follow. */
const mostPages = 5;

/** The viewer's open blockers in a team. Reads at most ten, as Slack's form does. */
export const ownBlockersQuery = (team: string) => {
  const given = {team: [team], author: 'me', state: 'open' as const, limit: 10};
  return queryOptions({
    queryKey: ['listBlockers', given],
    queryFn: async ({signal}) =>
      (await readRows('/v1/blockers', given, signal, {mostPages, wanted: 10})).rows.slice(0, 10),
  });
};

/** The viewer's last standup before a day, in the given team or otherwise in any; null for none. */
export const lastStandupQuery = (team: string | undefined, date: string) =>
  queryOptions({
    queryKey: ['listStandups', {author: 'me', team, before: date}],
    queryFn: async ({signal}): Promise<ShownStandup | null> => {
      const given = {
        author: 'me',
        team: team === undefined ? undefined : [team],
        date_to: addDays(date, -1),
        limit: 1,
      };
      return (await readRows('/v1/standups', given, signal, {mostPages, wanted: 1})).rows[0] ?? null;
    },
    enabled: date !== '',
  });

/** The draft that programs have prepared. No event says that it changed, so each opening reads it again. */
export const preparedDraftQuery = (team: string, date: string) => ({
  ...readQuery('getDraft', '/v1/drafts/{member}', {member: 'me', team, date}),
  enabled: date !== '',
  staleTime: 0,
  gcTime: 0,
});

export const standupQuery = (standup: string) => readQuery('getStandup', '/v1/standups/{standup}', {standup});

export const revisionsQuery = (standup: string) =>
  readRowsQuery('listStandupRevisions', '/v1/standups/{standup}/revisions', {standup, limit: 20});
