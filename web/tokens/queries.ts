import {infiniteQueryOptions, queryOptions} from '@tanstack/react-query';
import {api, dataOf} from '../api/client.ts';
import type {Schema} from '../api/schema.ts';

export type Token = Schema<'AccessToken'>;

interface PageInfo {
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

const pages = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({has_more, next_cursor}: PageInfo) =>
    has_more ? (next_cursor ?? undefined) : undefined,
};

/** All tokens that the viewer may see; `holder` names each token's owner. */
export const tokensQuery = infiniteQueryOptions({
  queryKey: ['listTokens', {kind: 'token', limit: 100}],
  ...pages,
  queryFn: ({pageParam: cursor, signal}) => {
    const query = {kind: 'token' as const, limit: 100, ...(cursor !== undefined && {cursor})};
    return dataOf(api.GET('/v1/tokens', {params: {query}, signal}));
  },
});

export const tokenQuery = (token: string) =>
  queryOptions({
    queryKey: ['getToken', {token}],
    queryFn: ({signal}) => dataOf(api.GET('/v1/tokens/{token}', {params: {path: {token}}, signal})),
  });

export const accountsQuery = queryOptions({
  queryKey: ['listServiceAccounts', {limit: 100}],
  queryFn: ({signal}) => dataOf(api.GET('/v1/service-accounts', {params: {query: {limit: 100}}, signal})),
});

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
