import {infiniteQueryOptions, queryOptions} from '@tanstack/react-query';
import {api, dataOf} from '../api/client.ts';
import type {Schema} from '../api/schema.ts';
import type {ShownState} from './search.ts';

export type Blocker = Schema<'Blocker'>;

export interface BlockerListFilter {
  /** Slugs of the chosen teams; undefined for every team of the workspace. */
  readonly teams: readonly string[] | undefined;
  readonly state: ShownState;
  readonly author?: string | undefined;
}

/** Blockers that one load has returned, and a cursor for each list that has more of them. */
export interface BlockerPage {
  readonly rows: readonly Blocker[];
  readonly next: readonly PageCursor[];
}

interface PageCursor {
  /**
   * Slug of the team whose blockers this cursor continues; undefined if it continues the list of all teams.
   */
  readonly team: string | undefined;
  readonly cursor: string | undefined;
}

/**
 * Maximum number of requests in one load, sent one after another. The open or acknowledged blockers of almost
 * any team fit into one load. Resolved blockers are loaded page by page.
 */
const steps = {open: 5, acknowledged: 5, resolved: 1} as const;
const sizes = {open: 100, acknowledged: 100, resolved: 25} as const;

export const blockersQuery = (filter: BlockerListFilter) =>
  infiniteQueryOptions({
    queryKey: ['listBlockers', filter],
    queryFn: ({pageParam, signal}) => readBlockerPage(filter, pageParam, signal),
    initialPageParam: firstCursors(filter),
    getNextPageParam: ({next}) => (next.length === 0 ? undefined : next),
  });

export const blockerQuery = (blocker: string) =>
  queryOptions({
    queryKey: ['getBlocker', {blocker}],
    queryFn: ({signal}) => dataOf(api.GET('/v1/blockers/{blocker}', {params: {path: {blocker}}, signal})),
  });

/** The members of a team, who are the possible authors of a blocker. */
export const peopleQuery = (team: string) =>
  queryOptions({
    queryKey: ['listTeamMembers', {team}],
    queryFn: async ({signal}) => {
      const query = {limit: 100};
      const {data} = await dataOf(
        api.GET('/v1/teams/{team}/members', {params: {path: {team}, query}, signal}),
      );
      return data;
    },
  });

function firstCursors({teams}: BlockerListFilter): readonly PageCursor[] {
  return (teams ?? [undefined]).map((team) => ({team, cursor: undefined}));
}

async function readBlockerPage(
  filter: BlockerListFilter,
  cursors: readonly PageCursor[],
  signal: AbortSignal,
): Promise<BlockerPage> {
  const read = await Promise.all(cursors.map((pageCursor) => readBlockerList(filter, pageCursor, signal)));
  return {rows: read.flatMap(({rows}) => rows), next: read.flatMap(({next}) => next)};
}

async function readBlockerList(
  {state, author}: BlockerListFilter,
  {team, cursor: first}: PageCursor,
  signal: AbortSignal,
): Promise<BlockerPage> {
  const rows: Blocker[] = [];
  let cursor = first;
  for (let step = 0; step < steps[state]; step += 1) {
    const query = {
      state,
      limit: sizes[state],
      ...(team !== undefined && {team}),
      ...(author !== undefined && {author}),
      ...(cursor !== undefined && {cursor}),
    };
    const page = await dataOf(api.GET('/v1/blockers', {params: {query}, signal}));
    rows.push(...page.data);
    cursor = page.next_cursor ?? undefined;
    if (!page.has_more || cursor === undefined) return {rows, next: []};
  }
  return {rows, next: [{team, cursor}]};
}
