import {keepPreviousData, queryOptions} from '@tanstack/react-query';
import {api, dataOf} from '../api/client.ts';
import {readPagesQuery, readQuery} from '../api/read.ts';
import type {Member, Schema} from '../api/schema.ts';
import type {MembersSearch} from './search.ts';

export const membersQuery = ({q, team, role}: MembersSearch) => ({
  ...readPagesQuery('listMembers', '/v1/members', {
    include: 'teams',
    limit: 50,
    q: q || undefined,
    team: team || undefined,
    role: role || undefined,
  }),
  placeholderData: keepPreviousData,
});

/** Tokens and sessions with the time of their last use, which shows when a member was last active. */
export const lastUsesQuery = readQuery('listTokens', '/v1/tokens', {limit: 100});

/** Polls an erasure until it is done: no event reports its steps. */
export const erasureQuery = (erasure: string) =>
  queryOptions({
    ...readQuery('getErasure', '/v1/erasures/{erasure}', {erasure}),
    refetchInterval: ({state}) => (state.data?.state === 'done' ? false : 1_000),
  });

export const erasuresQuery = readQuery('listErasures', '/v1/erasures', {limit: 20});

export const invitesQuery = readPagesQuery('listInvites', '/v1/invites', {limit: 20});

export const inviteQuery = (invite: string) => readQuery('getInvite', '/v1/invites/{invite}', {invite});

/** Ends an invite. `erases`: its address is deleted, too. */
export async function revokeInvite(invite: string, erases: boolean): Promise<void> {
  const query = erases ? {erase: 'true' as const} : {};
  await api.DELETE('/v1/invites/{invite}', {params: {path: {invite}, query}});
}

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
