import {readQuery} from '../api/read.ts';

/**
 * The viewer's sessions or, for owners and admins, those of all members; `holder` names each session's
 * member.
 */
export const sessionsQuery = readQuery('listTokens', '/v1/tokens', {kind: 'session', limit: 100});
