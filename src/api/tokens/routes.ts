import type {Services} from '../../service/services.js';
import {limits} from '../../domain/core/limits.js';
import {presentAnswer, presentPage, presentResource} from '../http/present.js';
import {type Route, route} from '../http/route.js';
import {noQuerySchema} from '../http/shared-schemas.js';
import {
  createdSignInLinkSchema,
  createdTokenSchema,
  newSignInLinkSchema,
  newTokenSchema,
  tokenQuerySchema,
  tokenSchema,
} from './schemas.js';

const collection = '/v1/tokens';
const single = `${collection}/{token}`;
const tag = 'Tokens';

export function tokenRoutes({tokens, sessions}: Pick<Services, 'tokens' | 'sessions'>): Route[] {
  return [
    route({
      method: 'POST',
      path: collection,
      operation: 'createToken',
      tag,
      summary: 'Create an access token',
      description:
        'For yourself, unless `member` or `service_account` says otherwise: owners and admins may make tokens for others (only an owner for an owner), service accounts for service accounts. Never wider than the token that asks, and never longer: it expires with that at the latest, and is revoked with it. One that a session of the dashboard makes outlasts the session. Those made for others are revoked when their maker is removed or loses a role. The value is in this answer and in repeats with the same `Idempotency-Key`, and nowhere else.',
      scope: 'tokens:manage',
      query: noQuerySchema,
      body: newTokenSchema,
      success: {status: 201, schema: createdTokenSchema},
      errors: ['not_found', 'scope_escalation', 'forbidden', 'limit_reached'],
      handle: async ({call, body}) => presentAnswer(await tokens.createToken(call, body), collection),
    }),
    route({
      method: 'POST',
      path: '/v1/sign-in-links',
      operation: 'createSignInLink',
      tag,
      summary: 'Create a sign-in link',
      description:
        'For yourself, unless `member` says otherwise: owners and admins may make links for others, only an owner for an owner. Whoever opens `url` within 10 minutes is signed in to the dashboard as that member, once; of five for a member the oldest goes. The session has the scopes of the member’s role, but none that your token lacks, and ends with your token. A session that another made the way for makes no tokens. `url` is in this answer and in repeats with the same `Idempotency-Key`, and nowhere else.',
      scope: 'tokens:manage',
      query: noQuerySchema,
      body: newSignInLinkSchema.optional(),
      success: {status: 201, schema: createdSignInLinkSchema},
      errors: ['forbidden'],
      handle: async ({call, body = {}}) =>
        presentAnswer(await sessions.createSignInLink(call, body), collection),
    }),
    route({
      method: 'GET',
      path: collection,
      operation: 'listTokens',
      tag,
      summary: 'List live access tokens',
      description:
        'Newest first: all of the workspace for owners, admins and service accounts, your own otherwise. With sessions of the dashboard and unused sign-in links, which `kind` tells apart.',
      scope: 'tokens:manage',
      query: tokenQuerySchema,
      success: {status: 200, schema: tokenSchema, list: true},
      errors: ['invalid_cursor'],
      handle: async (handled) => {
        const {limit = limits.pageDefault, cursor, created_by: createdBy, kind} = handled.query;
        const past = handled.cursors.open(cursor);
        const {rows, next} = await tokens.listTokenPage(handled.call, {createdBy, kind, past, limit});
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
        'It is refused from the next request on, by every process, and so is every token that was made with it, and with those; `token.revoked` tells of each. A token may revoke itself. To revoke a session signs out its browser.',
      scope: 'tokens:manage',
      query: noQuerySchema,
      success: {status: 204},
      errors: ['not_found', 'forbidden', 'precondition_failed'],
      handle: async ({call, params, expected}) =>
        presentAnswer(await tokens.revokeToken(call, params['token'] ?? '', expected)),
    }),
  ];
}

/** The mark of the last use in the entity tag: no finer than the answer shows it. */
function markOf(instant: string): string {
  return Math.floor(Date.parse(instant) / 1_000).toString(36);
}
