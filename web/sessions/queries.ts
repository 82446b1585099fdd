import {api, dataOf} from '../api/client.ts';
import {readQuery} from '../api/read.ts';

/**
 * The viewer's sessions or, for owners and admins, those of all members; `holder` names each session's
 * member.
 */
export const sessionsQuery = readQuery('listTokens', '/v1/tokens', {kind: 'session', limit: 100});

export async function endSession(token: string): Promise<void> {
  await api.DELETE('/v1/tokens/{token}', {params: {path: {token}}});
}

/** Creates a sign-in link for a member; without a member, for the viewer. */
export function createSignInLink(member?: string) {
  return dataOf(api.POST('/v1/sign-in-links', {body: {...(member !== undefined && {member})}}));
}
