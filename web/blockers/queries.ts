import {infiniteQueryOptions} from '@tanstack/react-query';
import {readQuery, readRows, readRowsQuery} from '../api/read.ts';
import {type BlockerListFilter, type BlockerPage, listMatchingBlockers, type PageCursor} from './lists.ts';

/** Maximum number of requests in one load. The open blockers of almost any team fit into one load. */
const steps = {open: 5, acknowledged: 5, resolved: 1} as const;
const sizes = {open: 100, acknowledged: 100, resolved: 25} as const;

export const blockersQuery = (filter: BlockerListFilter) =>
  infiniteQueryOptions({
    queryKey: ['listBlockers', filter],
    queryFn: async ({pageParam, signal}): Promise<BlockerPage> => {
      const read = await Promise.all(pageParam.map((cursor) => readBlockerList(filter, cursor, signal)));
      return {rows: read.flatMap(({rows}) => rows), next: read.flatMap(({next}) => next)};
    },
    initialPageParam: (filter.teams ?? [undefined]).map((team): PageCursor => ({team, cursor: undefined})),
    getNextPageParam: ({next}) => (next.length === 0 ? undefined : [...next]),
    select: ({pages}) => listMatchingBlockers(pages, filter),
  });

export const blockerQuery = (blocker: string) => readQuery('getBlocker', '/v1/blockers/{blocker}', {blocker});

export const peopleQuery = (team: string) =>
  readRowsQuery('listTeamMembers', '/v1/teams/{team}/members', {team, limit: 100});

async function readBlockerList(
  {state, author}: BlockerListFilter,
  {team, cursor}: PageCursor,
  signal: AbortSignal,
): Promise<BlockerPage> {
  const teams = team === undefined ? undefined : [team];
  const given = {state, limit: sizes[state], team: teams, author, cursor};
  const {rows, next} = await readRows('/v1/blockers', given, signal, {mostPages: steps[state]});
  return {rows, next: next === undefined ? [] : [{team, cursor: next}]};
}
