import {readPagesQuery, readQuery} from '../api/read.ts';
import type {Schema} from '../api/schema.ts';

export type Token = Schema<'AccessToken'>;

/** All tokens that the viewer may see; `holder` names each token's owner. */
export const tokensQuery = readPagesQuery('listTokens', '/v1/tokens', {kind: 'token', limit: 100});

export const tokenQuery = (token: string) => readQuery('getToken', '/v1/tokens/{token}', {token});

export const accountsQuery = readQuery('listServiceAccounts', '/v1/service-accounts', {limit: 100});
