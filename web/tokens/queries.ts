import {api, dataOf} from '../api/client.ts';
import {readPagesQuery, readQuery} from '../api/read.ts';
import type {Schema} from '../api/schema.ts';

export type Token = Schema<'AccessToken'>;

/** All tokens that the viewer may see; `holder` names each token's owner. */
export const tokensQuery = readPagesQuery('listTokens', '/v1/tokens', {kind: 'token', limit: 100});

export const tokenQuery = (token: string) => readQuery('getToken', '/v1/tokens/{token}', {token});

export const accountsQuery = readQuery('listServiceAccounts', '/v1/service-accounts', {limit: 100});

/**
 * Creates a token. Two presses with the same idempotency `key`, or a retry after a lost response, create only
 * one token.
 */
export function createToken({body, key}: {body: Schema<'NewAccessToken'>; key: string}) {
  const params = {header: {'Idempotency-Key': key}};
  return dataOf(api.POST('/v1/tokens', {params, body}));
}

export async function revokeToken(token: string): Promise<void> {
  await api.DELETE('/v1/tokens/{token}', {params: {path: {token}}});
}

export async function deleteAccount({id, revision}: Schema<'ServiceAccount'>): Promise<void> {
  const params = {path: {service_account: id}, header: {'If-Match': `"${revision}"`}};
  await api.DELETE('/v1/service-accounts/{service_account}', {params});
}
