import {limits} from '../../domain/core/limits.js';
import {parseWire} from '../../domain/core/resource.js';
import {
  newPasskeySchema,
  passkeyChangeSchema,
  passkeySchema,
  type ShownPasskey,
} from '../../domain/tokens/passkey.js';
import type {Services} from '../../service/services.js';
import {presentAnswer, presentPage, presentResource} from '../http/present.js';
import {type Route, defineRoute} from '../http/route.js';
import {noQuerySchema, pageQuerySchema} from '../http/shared-schemas.js';
import {passkeyChallengeSchema} from './passkey-schemas.js';

const collection = '/v1/passkeys';
const single = `${collection}/{passkey}`;
const tag = 'Passkeys';
const scope = 'tokens:manage';

export function createPasskeyRoutes({passkeys}: Services): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: `${collection}/challenge`,
      operation: 'createPasskeyChallenge',
      tag,
      summary: 'Begin to add a passkey',
      description:
        'Returns the options for `navigator.credentials.create`, and a ticket for `createPasskey`. Both are valid for 5 minutes, in the session that asked. Nothing is saved: the request needs no idempotency key and does not count as a write. Browsers allow no passkeys where `PUBLIC_URL` has an IP address.',
      scope,
      query: noQuerySchema,
      onlyReads: true,
      success: {status: 200, schema: passkeyChallengeSchema, tagged: false},
      errors: ['forbidden'],
      handle: async ({call}) => ({status: 200, body: JSON.stringify(await passkeys.createChallenge(call))}),
    }),
    defineRoute({
      method: 'POST',
      path: collection,
      operation: 'createPasskey',
      tag,
      summary: 'Add a passkey',
      description: `Adds a passkey to your account. From then on you can sign in to the dashboard with it. The browser creates it, with the options. A member can have ${limits.passkeysPerMember}. Without \`name\` it gets the name of the browser that is signed in.`,
      scope,
      query: noQuerySchema,
      body: newPasskeySchema,
      success: {status: 201, schema: passkeySchema},
      errors: ['forbidden', 'limit_reached'],
      handle: async ({call, body}) => presentAnswer(await passkeys.createPasskey(call, body), collection),
    }),
    defineRoute({
      method: 'GET',
      path: collection,
      operation: 'listPasskeys',
      tag,
      summary: 'List your passkeys',
      description: 'Returns your passkeys, newest first. No one else can list them.',
      scope,
      query: pageQuerySchema,
      success: {status: 200, schema: passkeySchema, list: true},
      errors: ['forbidden', 'invalid_cursor'],
      handle: async (input) => {
        const {limit = limits.pageDefault, cursor} = input.query;
        const page = {past: input.cursors.open(cursor), limit};
        const {rows, next} = await passkeys.listPasskeys(input.call, page);
        return presentPage(rows, next, input);
      },
    }),
    defineRoute({
      method: 'GET',
      path: single,
      operation: 'getPasskey',
      tag,
      summary: 'Get a passkey',
      description: 'Returns one of your passkeys. `ETag` changes with `last_used_at`; the revision does not.',
      scope,
      query: noQuerySchema,
      success: {status: 200, schema: passkeySchema},
      errors: ['forbidden', 'not_found'],
      handle: async (input) => {
        const passkey = await passkeys.findPasskey(input.call, input.params['passkey'] ?? '');
        return presentResource(passkey, input, computeMark(passkey));
      },
    }),
    defineRoute({
      method: 'PATCH',
      path: single,
      operation: 'changePasskey',
      tag,
      summary: 'Rename a passkey',
      description: 'Changes the name of one of your passkeys.',
      scope,
      query: noQuerySchema,
      body: passkeyChangeSchema,
      success: {status: 200, schema: passkeySchema},
      errors: ['forbidden', 'not_found', 'precondition_failed'],
      handle: async ({call, params, body, expected}) => {
        const answer = await passkeys.changePasskey(call, params['passkey'] ?? '', body, expected);
        return presentAnswer(answer, undefined, computeMark(parseWire(answer.body)));
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: single,
      operation: 'deletePasskey',
      tag,
      summary: 'Remove a passkey',
      description:
        'It signs no one in from the next request on. The sessions that it has opened stay; end them with `revokeToken`.',
      scope,
      query: noQuerySchema,
      success: {status: 204},
      errors: ['forbidden', 'not_found', 'precondition_failed'],
      handle: async ({call, params, expected}) =>
        presentAnswer(await passkeys.deletePasskey(call, params['passkey'] ?? '', expected)),
    }),
  ];
}

/** Returns what a passkey shows beside its revision, for its entity tag. */
function computeMark({last_used_at: used}: ShownPasskey): string | undefined {
  return used === null ? undefined : Math.floor(Date.parse(used) / 60_000).toString(36);
}
