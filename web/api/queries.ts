import {QueryClient, queryOptions} from '@tanstack/react-query';
import {operationsAbout} from './affected.ts';
import {onChanges} from './changes.ts';
import {api, dataOf, forgetReads} from './client.ts';
import {draftsBelongTo} from './drafts.ts';
import {forgetRecorded} from './record.ts';
import type {Change} from './tabs.ts';

/** Repeats are the client's business, and news come by the stream: see client.ts and changes.ts. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {retry: false, staleTime: Infinity, refetchOnWindowFocus: false, throwOnError: false},
    mutations: {retry: false},
  },
});

/** Keys of queries are `[operation, parameters]`, so that a change finds those that it touches. */
export const meQuery = queryOptions({
  queryKey: ['getMe'],
  queryFn: async ({signal}) => {
    const me = await dataOf(api.GET('/v1/me', {signal}));
    draftsBelongTo(me.principal.id);
    return me;
  },
});

export const teamQuery = (team: string) =>
  queryOptions({
    queryKey: ['getTeam', {team}],
    queryFn: ({signal}) => dataOf(api.GET('/v1/teams/{team}', {params: {path: {team}}, signal})),
  });

onChanges({
  onChanges: (changes) => void readAgain(changes),
  onMissed: () => void queryClient.invalidateQueries(),
});

/** Nothing that a session has read outlives it. */
export function forgetSession(): void {
  draftsBelongTo(undefined);
  forgetReads();
  forgetRecorded();
  queryClient.clear();
}

async function readAgain(changes: readonly Change[]): Promise<void> {
  await queryClient.invalidateQueries({
    predicate: ({queryKey: [operation], state: {data}}) =>
      changes.some(
        (change) => operationsAbout(change.object).has(String(operation)) && !isOfOtherTeam(data, change),
      ),
  });
}

/** What says its team is not touched by changes of another one. */
function isOfOtherTeam(data: unknown, {team_id}: Change): boolean {
  const own = typeof data === 'object' && data !== null && 'team_id' in data ? data.team_id : undefined;
  return typeof own === 'string' && team_id !== null && own !== team_id;
}
