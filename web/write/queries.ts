import {queryOptions} from '@tanstack/react-query';
import {api, dataOf} from '../api/client.ts';
import type {Schema} from '../api/schema.ts';
import {addDays} from '../parts/days.ts';

/** All teams of the viewer, with their questions. */
export const ownTeamsQuery = queryOptions({
  queryKey: ['listTeams', {member: 'me', limit: 100}],
  queryFn: async ({signal}) =>
    (await dataOf(api.GET('/v1/teams', {params: {query: {member: 'me', limit: 100}}, signal}))).data,
});

export const openRunsQuery = (team: string) =>
  queryOptions({
    queryKey: ['listRuns', {team, state: 'open'}],
    queryFn: async ({signal}) => {
      const query = {state: 'open' as const, limit: 10};
      return (await dataOf(api.GET('/v1/teams/{team}/runs', {params: {path: {team}, query}, signal}))).data;
    },
  });

export const dayQuery = (team: string, date: string) =>
  queryOptions({
    queryKey: ['getTeamDay', {team, date}],
    queryFn: ({signal}) =>
      dataOf(api.GET('/v1/teams/{team}/days/{date}', {params: {path: {team, date}}, signal})),
    enabled: date !== '',
  });

/** The viewer's open blockers in a team. Reads at most ten, as Slack's form does. */
export const ownBlockersQuery = (team: string) =>
  queryOptions({
    queryKey: ['listBlockers', {team, author: 'me', state: 'open', limit: 10}],
    queryFn: async ({signal}) => {
      const query = {team, author: 'me', state: 'open' as const, limit: 10};
      return readFirstStandup(10, (cursor) =>
        dataOf(api.GET('/v1/blockers', {params: {query: {...query, ...cursor}}, signal})),
      );
    },
  });

/**
 * The viewer's last standup before a day, in the given team or, without a team, in any team; null for none.
 */
export const lastStandupQuery = (team: string | undefined, date: string) =>
  queryOptions({
    queryKey: ['listStandups', {author: 'me', team, before: date}],
    queryFn: async ({signal}): Promise<Schema<'ShownStandup'> | null> => {
      const query = {author: 'me', ...(team !== undefined && {team}), date_to: addDays(date, -1), limit: 1};
      const found = await readFirstStandup(1, (cursor) =>
        dataOf(api.GET('/v1/standups', {params: {query: {...query, ...cursor}}, signal})),
      );
      return found[0] ?? null;
    },
    enabled: date !== '',
  });

export const standupQuery = (standup: string) =>
  queryOptions({
    queryKey: ['getStandup', {standup}],
    queryFn: ({signal}) => dataOf(api.GET('/v1/standups/{standup}', {params: {path: {standup}}, signal})),
  });

export const revisionsQuery = (standup: string) =>
  queryOptions({
    queryKey: ['listStandupRevisions', {standup}],
    queryFn: async ({signal}) => {
      const params = {path: {standup}, query: {limit: 20}};
      return (await dataOf(api.GET('/v1/standups/{standup}/revisions', {params, signal}))).data;
    },
  });

interface ListPage<Row> {
  readonly data: readonly Row[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

/** Maximum number of pages read: a filtered page may be empty although more follow. */
const mostPages = 5;

async function readFirstStandup<Row>(
  wanted: number,
  read: (cursor: {readonly cursor?: string}) => Promise<ListPage<Row>>,
): Promise<readonly Row[]> {
  const found: Row[] = [];
  let cursor: string | null = null;
  for (let pages = 0; pages < mostPages && found.length < wanted; pages += 1) {
    const page: ListPage<Row> = await read(cursor === null ? {} : {cursor});
    found.push(...page.data);
    cursor = page.next_cursor;
    if (!page.has_more || cursor === null) break;
  }
  return found.slice(0, wanted);
}
