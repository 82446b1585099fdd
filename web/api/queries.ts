import {type Query, QueryClient, queryOptions} from '@tanstack/react-query';
import {findOperationsReading} from './affected.ts';
import {onChanges} from './changes.ts';
import {api, dataOf} from './client.ts';
import {setDraftOwner} from './drafts.ts';
import {clearRecordedRequests} from './record.ts';
import type {Schema} from './schema.ts';
import type {TabChange} from './tabs.ts';

/**
 * Queries are never retried and never become stale by themselves: client.ts retries requests, and changes.ts
 * reports changes.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {retry: false, staleTime: Infinity, refetchOnWindowFocus: false, throwOnError: false},
    // The result of a change may contain a secret that is shown only once. Drop the result together with its
    // component.
    mutations: {retry: false, gcTime: 0},
  },
});

/** Query keys are `[operation, parameters]`, so that a change can find the queries it affects. */
export const meQuery = queryOptions({
  queryKey: ['getMe'],
  queryFn: async ({signal}) => {
    const me = await dataOf(api.GET('/v1/me', {signal}));
    setDraftOwner(me.principal.id);
    return me;
  },
});

export const teamQuery = (team: string) =>
  queryOptions({
    queryKey: ['getTeam', {team}],
    queryFn: ({signal}) => dataOf(api.GET('/v1/teams/{team}', {params: {path: {team}}, signal})),
  });

/** Lists all webhooks of the workspace: a few hundred at most. */
export async function listWebhooks(signal: AbortSignal): Promise<readonly Schema<'Webhook'>[]> {
  const found: Schema<'Webhook'>[] = [];
  let cursor: string | undefined;
  do {
    const query = {limit: 100, ...(cursor !== undefined && {cursor})};
    const {data, next_cursor: next} = await dataOf(api.GET('/v1/webhooks', {params: {query}, signal}));
    found.push(...data);
    cursor = next ?? undefined;
  } while (cursor !== undefined);
  return found;
}

onChanges({
  onChanges: (changes) => void refetchChangedQueries(changes),
  onMissed: () => void queryClient.invalidateQueries(),
});

/** Clears everything that this page has read during the session. */
export function clearSessionData(): void {
  setDraftOwner(undefined);
  clearRecordedRequests();
  queryClient.clear();
}

async function refetchChangedQueries(changes: readonly TabChange[]): Promise<void> {
  const isTouched = ({queryKey: [operation], state: {data}}: Query): boolean =>
    changes.some(
      (change) => findOperationsReading(change.object).has(String(operation)) && !isOfOtherTeam(data, change),
    );
  // The first response, still on its way, may be older than the change. Read the data again after that
  // response.
  for (const {queryKey, state, promise} of queryClient.getQueryCache().findAll({predicate: isTouched})) {
    if (state.data !== undefined || state.fetchStatus !== 'fetching') continue;
    const again = (): Promise<void> => queryClient.invalidateQueries({queryKey, exact: true});
    void promise?.then(again, () => undefined);
  }
  await queryClient.invalidateQueries({predicate: isTouched});
}

/**
 * True if the query's data belongs to a team other than the changed object's team, so that the change cannot
 * affect the data.
 */
function isOfOtherTeam(data: unknown, {team_id}: TabChange): boolean {
  const own = typeof data === 'object' && data !== null && 'team_id' in data ? data.team_id : undefined;
  return typeof own === 'string' && team_id !== null && own !== team_id;
}
