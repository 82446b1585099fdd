import type {Services} from '../../service/services.js';
import {limits} from '../../domain/core/limits.js';
import {presentAnswer, presentPage, presentResource} from '../http/present.js';
import {type Route, defineRoute} from '../http/route.js';
import {noQuerySchema} from '../http/shared-schemas.js';
import {tokenSchema} from '../../domain/core/access.js';
import {
  createdCalendarFeedSchema,
  createdShareLinkSchema,
  createdSignInLinkSchema,
  createdTokenSchema,
  newCalendarFeedSchema,
  newShareLinkSchema,
  newSignInLinkSchema,
  newTokenSchema,
  tokenQuerySchema,
} from './schemas.js';

const collection = '/v1/tokens';
const single = `${collection}/{token}`;
const tag = 'Tokens';

export function createTokenRoutes({tokens, sessions, createCalendarFeed, sharedWeeks}: Services): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: collection,
      operation: 'createToken',
      tag,
      summary: 'Create an access token',
      description:
        'Creates a token for yourself, unless `member` or `service_account` names another holder. Owners and admins can create tokens for others (only an owner for an owner), service accounts for service accounts. The new token has no scope that the token of the request lacks. It expires no later than that token, and is revoked with it. A token created by a session of the dashboard outlasts the session. Tokens created for others are revoked when their creator is removed or loses a role. The value is only in this response and in repeats with the same token and `Idempotency-Key`.',
      scope: 'tokens:manage',
      query: noQuerySchema,
      body: newTokenSchema,
      success: {status: 201, schema: createdTokenSchema},
      errors: ['not_found', 'scope_escalation', 'forbidden', 'limit_reached'],
      handle: async ({call, body}) => presentAnswer(await tokens.createToken(call, body), collection),
    }),
    defineRoute({
      method: 'POST',
      path: '/v1/sign-in-links',
      operation: 'createSignInLink',
      tag,
      summary: 'Create a sign-in link',
      description:
        'Creates a link for yourself, unless `member` names another member. Owners and admins can create links for others; only an owner can create one for an owner. Opening `url` within 10 minutes signs the browser in to the dashboard as that member. A link works once. A sixth link for a member replaces the oldest. The session has the scopes of the member’s role, but none that your token lacks, and ends with your token. A session from a link that another member created cannot create tokens. `url` is only in this response and in repeats with the same token and `Idempotency-Key`.',
      scope: 'tokens:manage',
      query: noQuerySchema,
      body: newSignInLinkSchema.optional(),
      success: {status: 201, schema: createdSignInLinkSchema},
      errors: ['not_found', 'forbidden'],
      handle: async ({call, body = {}}) =>
        presentAnswer(await sessions.createSignInLink(call, body), collection),
    }),
    defineRoute({
      method: 'POST',
      path: '/v1/calendar-feeds',
      operation: 'createCalendarFeed',
      tag,
      summary: 'Create a calendar feed',
      description: `Creates a secret address from which calendar applications read your calendar (iCalendar): your standups of the next 60 days, your absences, and when people of your teams are away, without reasons. It has no text of a standup. A feed is an access token of the kind \`calendar\`: list and revoke it as one. It is valid for three years, has the scopes \`teams:read\` and \`members:read\`, and calls no operation. A member can have ${limits.calendarFeedsPerMember}. \`url\` is only in this response and in repeats with the same token and \`Idempotency-Key\`.`,
      scope: 'tokens:manage',
      query: noQuerySchema,
      body: newCalendarFeedSchema.optional(),
      success: {status: 201, schema: createdCalendarFeedSchema},
      errors: ['forbidden', 'scope_escalation', 'limit_reached'],
      handle: async ({call, body = {}}) => presentAnswer(await createCalendarFeed(call, body), collection),
    }),
    defineRoute({
      method: 'POST',
      path: '/v1/share-links',
      operation: 'createShareLink',
      tag,
      summary: 'Create a link to a team’s week',
      description: `Creates a secret address at which people without an account read the report of one week (\`getTeamWeek\`): counts, trends, and how many blockers are open. It has no text of a standup, comment or absence. Leads, owners and admins can create one; of a private team only owners and admins. It shows the week as of now, and ends when its maker loses that right, or when an open team becomes private. A share link is an access token of the kind \`share_link\`: list and revoke it as one. It has the scope \`standups:read\`, and calls no operation. A person can have ${limits.shareLinksPerMember}. \`url\` is only in this response and in repeats with the same token and \`Idempotency-Key\`.`,
      scope: 'tokens:manage',
      query: noQuerySchema,
      body: newShareLinkSchema,
      success: {status: 201, schema: createdShareLinkSchema},
      errors: ['forbidden', 'not_found', 'scope_escalation', 'limit_reached'],
      handle: async ({call, body}) =>
        presentAnswer(await sharedWeeks.createShareLink(call, body), collection),
    }),
    defineRoute({
      method: 'GET',
      path: collection,
      operation: 'listTokens',
      tag,
      summary: 'List live access tokens',
      description:
        'Returns tokens newest first: all of the workspace for owners, admins and service accounts, otherwise your own. Sessions of the dashboard, unused sign-in links, calendar feeds and share links are included; `kind` distinguishes them.',
      scope: 'tokens:manage',
      query: tokenQuerySchema,
      success: {status: 200, schema: tokenSchema, list: true},
      errors: ['invalid_cursor'],
      handle: async (input) => {
        const {limit = limits.pageDefault, cursor, created_by: createdBy, kind} = input.query;
        const past = input.cursors.open(cursor);
        const {rows, next} = await tokens.listTokenPage(input.call, {createdBy, kind, past, limit});
        return presentPage(rows, next, input);
      },
    }),
    defineRoute({
      method: 'GET',
      path: single,
      operation: 'getToken',
      tag,
      summary: 'Get an access token',
      description:
        'Returns the token without its value. `ETag` changes with `last_used_at`; the revision does not.',
      scope: 'tokens:manage',
      query: noQuerySchema,
      success: {status: 200, schema: tokenSchema},
      errors: ['not_found', 'forbidden'],
      handle: async (input) => {
        const token = await tokens.findToken(input.call, input.params['token'] ?? '');
        const {last_used_at: used} = token;
        return presentResource(token, input, used === null ? undefined : computeLastUseTag(used));
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: single,
      operation: 'revokeToken',
      tag,
      summary: 'Revoke an access token',
      description:
        'The token is rejected from the next request on, by every process. So is every token created with it, directly or indirectly. A `token.revoked` is sent for each. A token can revoke itself. Revoking a session signs out its browser.',
      scope: 'tokens:manage',
      query: noQuerySchema,
      success: {status: 204},
      errors: ['not_found', 'forbidden', 'precondition_failed'],
      handle: async ({call, params, expected}) =>
        presentAnswer(await tokens.revokeToken(call, params['token'] ?? '', expected)),
    }),
  ];
}

/** Returns a token's last use for its entity tag, in whole seconds, as the answer shows it. */
function computeLastUseTag(instant: string): string {
  return Math.floor(Date.parse(instant) / 1_000).toString(36);
}
