import {type Query, QueryClient, queryOptions} from '@tanstack/react-query';
import {type AffectingObject, findOperationsReading} from './affected.ts';
import {onChanges} from './changes.ts';
import {setDraftOwner} from './drafts.ts';
import {read, readQuery} from './read.ts';
import type {Me} from './schema.ts';
import {clearRecordedRequests} from './record.ts';
import type {TabChange} from './tabs.ts';

/** Queries are neither retried nor stale: client.ts retries requests, changes.ts reports changes. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {retry: false, staleTime: Infinity, refetchOnWindowFocus: false, throwOnError: false},
    // The result of a change may contain a secret shown only once, so drop it together with its component.
    mutations: {retry: false, gcTime: 0},
  },
});

/** Query keys are `[operation, parameters]`, so that a change can find the queries it affects. */
export const meQuery = queryOptions({
  ...readQuery('getMe', '/v1/me', {}),
  queryFn: async ({signal}) => {
    const me = await read('/v1/me', {}, signal);
    setDraftOwner(me.principal.id);
    return me;
  },
});

export const teamQuery = (team: string) => readQuery('getTeam', '/v1/teams/{team}', {team});

/** Reads a team's day. `today` means the day to which a standup posted now would belong. */
export const dayQuery = (team: string, date: string) =>
  readQuery('getTeamDay', '/v1/teams/{team}/days/{date}', {team, date});

onChanges({
  onChanges: (changes) => void refetchChangedQueries(changes),
  onMissed: () => void queryClient.invalidateQueries(),
});

export function clearSessionData(): void {
  setDraftOwner(undefined);
  clearRecordedRequests();
  queryClient.clear();
}

/** Reads all data again that depends on objects of these kinds, without waiting for the change stream. */
export function invalidate(...objects: readonly AffectingObject[]): Promise<void> {
  const operations = new Set(objects.flatMap((object) => [...findOperationsReading(object)]));
  return queryClient.invalidateQueries({
    predicate: ({queryKey: [operation]}) => operations.has(String(operation)),
  });
}

async function refetchChangedQueries(changes: readonly TabChange[]): Promise<void> {
  const isTouched = ({queryKey: [operation], state: {data}}: Query): boolean =>
    changes.some(
      (change) => findOperationsReading(change.object).has(String(operation)) && !isOfOtherTeam(data, change),
    );
  // The first response may be older than the change, so read the data again after it.
  for (const {queryKey, state, promise} of queryClient.getQueryCache().findAll({predicate: isTouched})) {
    if (state.data !== undefined || state.fetchStatus !== 'fetching') continue;
    const again = (): Promise<void> => queryClient.invalidateQueries({queryKey, exact: true});
    void promise?.then(again, () => undefined);
  }
  await queryClient.invalidateQueries({predicate: isTouched});
}

/**
 * True if the data belongs to a team other than the changed object's, so the change cannot affect it. What happens
 * in other teams than the viewer's seldom notifies the viewer, and need not be seen at once.
 */
function isOfOtherTeam(data: unknown, {object, team_id}: TabChange): boolean {
  if (typeof data !== 'object' || data === null || team_id === null) return false;
  const {team_id: own, inbox, teams} = data as {team_id?: unknown} & Partial<Me>;
  if (inbox && /^(standup|comment|reaction)$/.test(object)) return !teams?.some(({id}) => id === team_id);
  return typeof own === 'string' && own !== team_id;
}
