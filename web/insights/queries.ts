import {infiniteQueryOptions, queryOptions} from '@tanstack/react-query';
import {api, dataOf} from '../api/client.ts';
import type {SpanQuery} from './spans.ts';

/** The status of each member of a team on each day. */
export const participationQuery = (team: string, span: SpanQuery) =>
  queryOptions({
    queryKey: ['getParticipation', {team, ...span}],
    queryFn: ({signal}) => {
      const params = {path: {team}, query: {...span, include: 'days' as const}};
      return dataOf(api.GET('/v1/teams/{team}/participation', {params, signal}));
    },
  });

/** Participation by date of the teams of `member`, or of all teams. */
export const teamsQuery = (member: string | undefined, span: SpanQuery) =>
  infiniteQueryOptions({
    queryKey: ['listParticipation', {member, ...span}],
    initialPageParam: undefined as string | undefined,
    queryFn: ({pageParam: cursor, signal}) => {
      const query = {
        ...span,
        include: 'days' as const,
        limit: 100,
        ...(member !== undefined && {member}),
        ...(cursor !== undefined && {cursor}),
      };
      return dataOf(api.GET('/v1/participation', {params: {query}, signal}));
    },
    getNextPageParam: ({has_more, next_cursor}) => (has_more ? (next_cursor ?? undefined) : undefined),
  });

export const runQuery = (team: string, date: string) =>
  queryOptions({
    queryKey: ['getRun', {team, date}],
    queryFn: ({signal}) =>
      dataOf(api.GET('/v1/teams/{team}/runs/{date}', {params: {path: {team, date}}, signal})),
  });

/** The standups of a team on a date. */
export const dayQuery = (team: string, date: string) =>
  queryOptions({
    queryKey: ['getTeamDay', {team, date}],
    queryFn: ({signal}) =>
      dataOf(api.GET('/v1/teams/{team}/days/{date}', {params: {path: {team, date}}, signal})),
  });

/** The run of a team before or after a date. */
export const neighbourQuery = (team: string, bound: {readonly since: string} | {readonly until: string}) =>
  queryOptions({
    queryKey: ['listRuns', {team, ...bound}],
    queryFn: async ({signal}) => {
      const query = {...bound, limit: 1, order: 'since' in bound ? ('asc' as const) : ('desc' as const)};
      const {data} = await dataOf(api.GET('/v1/teams/{team}/runs', {params: {path: {team}, query}, signal}));
      return data[0]?.date ?? null;
    },
  });
