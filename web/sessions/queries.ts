import {queryOptions} from '@tanstack/react-query';
import {api, dataOf} from '../api/client.ts';

/**
 * The viewer's sessions or, for owners and admins, those of all members; `holder` names each session's
 * member.
 */
export const sessionsQuery = queryOptions({
  queryKey: ['listTokens', {kind: 'session'}],
  queryFn: ({signal}) =>
    dataOf(api.GET('/v1/tokens', {params: {query: {kind: 'session', limit: 100}}, signal})),
});

export async function endSession(token: string): Promise<void> {
  await api.DELETE('/v1/tokens/{token}', {params: {path: {token}}});
}

/** Creates a sign-in link for a member; without a member, for the viewer. */
export function createSignInLink(member?: string) {
  return dataOf(api.POST('/v1/sign-in-links', {body: {...(member !== undefined && {member})}}));
}
