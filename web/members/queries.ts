import {infiniteQueryOptions, keepPreviousData, queryOptions} from '@tanstack/react-query';
import {api, dataOf} from '../api/client.ts';
import type {Schema} from '../api/schema.ts';
import type {MembersSearch} from './search.ts';

export type Member = Schema<'Member'>;
export type ListedMember = Schema<'ListedMember'>;
export type Erasure = Schema<'Erasure'>;

interface PageInfo {
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

const pages = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({has_more, next_cursor}: PageInfo) =>
    has_more ? (next_cursor ?? undefined) : undefined,
};

export const membersQuery = ({q, team, role}: MembersSearch) => {
  const filter = {
    include: 'teams' as const,
    limit: 50,
    ...(q && {q}),
    ...(team && {team}),
    ...(role && {role}),
  };
  return infiniteQueryOptions({
    queryKey: ['listMembers', filter],
    ...pages,
    queryFn: ({pageParam: cursor, signal}) => {
      const query = {...filter, ...(cursor !== undefined && {cursor})};
      return dataOf(api.GET('/v1/members', {params: {query}, signal}));
    },
    placeholderData: keepPreviousData,
  });
};

export const teamsQuery = queryOptions({
  queryKey: ['listTeams', {limit: 100}],
  queryFn: ({signal}) => dataOf(api.GET('/v1/teams', {params: {query: {limit: 100}}, signal})),
});

/** Tokens and sessions with the time of their last use, which shows when a member was last active. */
export const lastUsesQuery = queryOptions({
  queryKey: ['listTokens', {limit: 100}],
  queryFn: ({signal}) => dataOf(api.GET('/v1/tokens', {params: {query: {limit: 100}}, signal})),
});

/** Polls an erasure until it is done: no event reports its steps. */
export const erasureQuery = (erasure: string) =>
  queryOptions({
    queryKey: ['getErasure', {erasure}],
    queryFn: ({signal}) => dataOf(api.GET('/v1/erasures/{erasure}', {params: {path: {erasure}}, signal})),
    refetchInterval: ({state}) => (state.data?.state === 'done' ? false : 1_000),
  });

export const erasuresQuery = queryOptions({
  queryKey: ['listErasures', {limit: 20}],
  queryFn: ({signal}) => dataOf(api.GET('/v1/erasures', {params: {query: {limit: 20}}, signal})),
});

/** Adds a member. A second request with the same idempotency `key` adds no other member. */
export function addMember({body, key}: {body: Schema<'NewMember'>; key: string}) {
  return dataOf(api.POST('/v1/members', {params: {header: {'Idempotency-Key': key}}, body}));
}

export function changeMember({member, body}: {member: Member; body: Schema<'MemberChange'>}) {
  return dataOf(api.PATCH('/v1/members/{member}', {params: toPathParameters(member), body}));
}

export async function removeMember(member: Member): Promise<void> {
  await api.DELETE('/v1/members/{member}', {params: toPathParameters(member)});
}

/** Erases a member, and returns the id of the erasure. */
export async function eraseMember(member: Member): Promise<string | undefined> {
  const params = {...toPathParameters(member), query: {erase: 'true' as const}};
  const {response} = await api.DELETE('/v1/members/{member}', {params});
  return response.headers.get('location')?.split('/').at(-1);
}

export function createSignInLink(member: string) {
  return dataOf(api.POST('/v1/sign-in-links', {body: {member}}));
}

function toPathParameters({id, revision}: Member) {
  return {path: {member: id}, header: {'If-Match': `"${revision}"`}};
}
