import type {Services} from '../../service/services.js';
import {limits} from '../../domain/limits.js';
import {presentAnswer, presentPage, presentResource} from '../present.js';
import {type Route, route} from '../route.js';
import {noQuerySchema} from '../schemas/shared.js';
import {createdTokenSchema, newTokenSchema, tokenQuerySchema, tokenSchema} from '../schemas/tokens.js';

const collection = '/v1/tokens';
const single = `${collection}/{token}`;
const tag = 'Tokens';

export function tokenRoutes({tokens}: Pick<Services, 'tokens'>): Route[] {
  return [
    route({
      method: 'POST',
      path: collection,
      operation: 'createToken',
      tag,
      summary: 'Create an access token',
      description:
        'For yourself, unless `member` or `service_account` says otherwise: owners and admins may make tokens for others (only an owner for an owner), service accounts for service accounts. Never wider than the token that asks, and never longer: it expires with that at the latest, and is revoked with it. Those made for others are revoked when their maker is removed or loses a role. The value is in this answer and in repeats with the same `Idempotency-Key`, and nowhere else.',
      scope: 'tokens:manage',
      query: noQuerySchema,
      body: newTokenSchema,
      success: {status: 201, schema: createdTokenSchema},
      errors: ['not_found', 'scope_escalation', 'forbidden', 'limit_reached'],
      handle: async ({call, body}) => presentAnswer(await tokens.createToken(call, body), collection),
    }),
    route({
      method: 'GET',
      path: collection,
      operation: 'listTokens',
      tag,
      summary: 'List live access tokens',
      description:
        'Newest first: all of the workspace for owners, admins and service accounts, your own otherwise.',
      scope: 'tokens:manage',
      query: tokenQuerySchema,
      success: {status: 200, schema: tokenSchema, list: true},
      errors: ['invalid_cursor'],
      handle: async (handled) => {
        const {limit = limits.pageDefault, cursor, created_by: createdBy} = handled.query;
        const below = handled.cursors.open(cursor);
        const {rows, next} = await tokens.listTokenPage(handled.call, {createdBy, below, limit});
        return presentPage(rows, next, handled);
      },
    }),
    route({
      method: 'GET',
      path: single,
      operation: 'getToken',
      tag,
      summary: 'Get an access token',
      description: 'Without its value. The entity tag changes with `last_used_at`, the revision does not.',
      scope: 'tokens:manage',
      query: noQuerySchema,
      success: {status: 200, schema: tokenSchema},
      errors: ['not_found', 'forbidden'],
      handle: async (handled) => {
        const token = await tokens.findToken(handled.call, handled.params['token'] ?? '');
        const {last_used_at: used} = token;
        return presentResource(token, handled, used === null ? undefined : markOf(used));
      },
    }),
    route({
      method: 'DELETE',
      path: single,
      operation: 'revokeToken',
      tag,
      summary: 'Revoke an access token',
      description:
        'It is refused from the next request on, by every process, and so is every token that was made with it, and with those; `token.revoked` tells of each. A token may revoke itself.',
      scope: 'tokens:manage',
      query: noQuerySchema,
      success: {status: 204},
      errors: ['not_found', 'forbidden', 'precondition_failed'],
      handle: async ({call, params, expected}) =>
        presentAnswer(await tokens.revokeToken(call, params['token'] ?? '', expected)),
    }),
  ];
}

/** What the entity tag says of the last use: no more than the answer itself shows. */
function markOf(instant: string): string {
  return Math.floor(Date.parse(instant) / 1_000).toString(36);
}
