import {infiniteQueryOptions, queryOptions} from '@tanstack/react-query';
import {api, dataOf} from '../api/client.ts';
import type {Schema} from '../api/schema.ts';

export type Workspace = Schema<'Workspace'>;
export type SlackConnection = Schema<'SlackConnection'>;
export type SlackTrouble = Schema<'SlackTrouble'>;
export type Erasure = Schema<'Erasure'>;

export const workspaceQuery = queryOptions({
  queryKey: ['getWorkspace'],
  queryFn: ({signal}) => dataOf(api.GET('/v1/workspace', {signal})),
});

export function changeWorkspace(workspace: Workspace, body: Schema<'WorkspaceChange'>): Promise<Workspace> {
  const header = {'If-Match': `"${workspace.revision}"`};
  return dataOf(api.PATCH('/v1/workspace', {params: {header}, body}));
}

export const slackQuery = queryOptions({
  queryKey: ['getSlackConnection'],
  queryFn: ({signal}) => dataOf(api.GET('/v1/slack', {signal})),
});

const pageSize = 20;

interface PageInfo {
  readonly has_more: boolean;
  readonly next_cursor?: string | null;
}

const paged = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({has_more: more, next_cursor: next}: PageInfo) =>
    more ? (next ?? undefined) : undefined,
};

export const channelsQuery = infiniteQueryOptions({
  ...paged,
  queryKey: ['listSlackChannels'],
  queryFn: ({signal, pageParam: cursor}) => {
    const query = {limit: pageSize, ...(cursor !== undefined && {cursor})};
    return dataOf(api.GET('/v1/slack/channels', {params: {query}, signal}));
  },
});

/** Polling intervals in ms: often while a problem is unsolved, since no event reports its progress. */
const lookMs = {often: 5_000, seldom: 60_000};

export const troublesQuery = infiniteQueryOptions({
  ...paged,
  queryKey: ['listSlackTroubles'],
  queryFn: ({signal, pageParam: cursor}) => {
    const query = {limit: pageSize, ...(cursor !== undefined && {cursor})};
    return dataOf(api.GET('/v1/slack/troubles', {params: {query}, signal}));
  },
  refetchInterval: ({state: {data}}) =>
    data?.pages.some(({data: rows}) => rows.some(({state}) => state !== 'solved')) === true
      ? lookMs.often
      : lookMs.seldom,
});

export function retryTrouble(trouble: string): Promise<SlackTrouble> {
  return dataOf(api.POST('/v1/slack/troubles/{trouble}/retry', {params: {path: {trouble}}}));
}

export async function disconnectSlack(): Promise<void> {
  await api.DELETE('/v1/slack');
}

export const teamsQuery = queryOptions({
  queryKey: ['listTeams', {limit: 100}],
  queryFn: ({signal}) => dataOf(api.GET('/v1/teams', {params: {query: {limit: 100}}, signal})),
});

/** The sessions of all members. */
export const sessionsQuery = queryOptions({
  queryKey: ['listTokens', {kind: 'session'}],
  queryFn: ({signal}) =>
    dataOf(api.GET('/v1/tokens', {params: {query: {kind: 'session', limit: 100}}, signal})),
});

const erasureMs = 2_000;

/** The latest erasures, polled while one of them is not done. */
export const erasuresQuery = queryOptions({
  queryKey: ['listErasures'],
  queryFn: ({signal}) => dataOf(api.GET('/v1/erasures', {params: {query: {limit: 20}}, signal})),
  refetchInterval: ({state: {data}}) =>
    data?.data.some(({state}) => state !== 'done') === true ? erasureMs : false,
});
