import {infiniteQueryOptions, keepPreviousData, queryOptions} from '@tanstack/react-query';
import {api} from '../api/client.ts';
import {readPagesQuery, readQuery} from '../api/read.ts';
import type {Member} from '../api/schema.ts';
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

export const invitesQuery = infiniteQueryOptions({
  ...readPagesQuery('listInvites', '/v1/invites', {limit: 20}),
  // No event says that a mail was sent.
  refetchInterval: ({state}) =>
    state.data?.pages.some(({data}) => data.some(({mail}) => mail?.state === 'queued')) ? 3_000 : false,
});

export const inviteQuery = (invite: string) => readQuery('getInvite', '/v1/invites/{invite}', {invite});

export async function eraseMember({id, revision}: Member): Promise<string | undefined> {
  const params = {path: {member: id}, query: {erase: 'true'}, header: {'If-Match': `"${revision}"`}} as const;
  const {response} = await api.DELETE('/v1/members/{member}', {params});
  return response.headers.get('location')?.split('/').at(-1);
}
