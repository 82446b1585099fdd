import {type AccessToken, type Call, operatorId} from '../../domain/core/access.js';
import {toInstant} from '../../domain/core/dates.js';
import {lifetimes, limits} from '../../domain/core/limits.js';
import {type Draft, parseWire} from '../../domain/core/resource.js';
import {listScopesOfRole, createSignInAddress} from '../../domain/tokens/session.js';
import {requireWayIn} from '../../domain/tokens/sign-in.js';
import type {ServiceContext} from '../core/context.js';
import type {Answer} from '../core/answers.js';
import {createTokenRecords, hashSecret} from './token-records.js';
import {
  createTokenHolderChooser,
  findParentToken,
  requireOwnAnswer,
  requireOwnToken,
} from './token-grants.js';

/**
 * Creates a link with which a member (by default the caller) signs in to the dashboard once. The answer has
 * `url`, which is shown only here and to repeated requests with the same idempotency key and access token.
 * `page`: the path in the dashboard that opens after the sign-in. Errors: `forbidden`, `validation_failed`.
 */
export function createSignInLinkMaker(context: ServiceContext) {
  const {mutate, authority, cipher, clock, generateSuffix, generateSecret, sha256, publicUrl, waysIn} =
    context;
  const tokenRecords = createTokenRecords(context);
  const chooseHolder = createTokenHolderChooser(context, 'sign-in link');

  return async function createSignInLink(
    call: Call,
    {member = 'me', page}: {readonly member?: string | undefined; readonly page?: string | undefined},
  ): Promise<Answer<AccessToken & {readonly url: string}>> {
    const suffix = generateSuffix();
    const secret = generateSecret();
    const answer = await mutate<AccessToken & {readonly url: string}>(call, async () => {
      requireOwnToken(call);
      if (call.principal.id !== operatorId) requireWayIn(waysIn, 'link');
      const {role: callerRole, proof} = await authority.prove(call);
      const {holder, role = 'member', guards} = await chooseHolder(call, {member}, callerRole);
      const draft: Draft<AccessToken> = {
        object: 'access_token',
        name: 'Sign-in link',
        kind: 'sign_in_link',
        holder,
        scopes: listScopesOfRole(role).filter((scope) => call.scopes.has(scope)),
        expires_at: toInstant((Math.floor(clock.now() / 1_000) + lifetimes.signInLink) * 1_000),
        created_by: call.principal.id === operatorId ? null : call.principal,
        parent: findParentToken(call),
        client: null,
      };
      // The live links are sorted newest first: the oldest ones are revoked.
      const {created, ...planned} = await tokenRecords.planToken(
        call,
        draft,
        {suffix, proof: hashSecret(sha256, secret)},
        (live) => live.slice(limits.signInLinksPerMember - 1).map(({token}) => token),
      );
      const url = createSignInAddress(publicUrl, {workspace: call.workspace, suffix, secret}, page);
      return {
        ...planned,
        lets: holder.id,
        guards: [...proof, ...guards, ...planned.guards],
        reply: {
          kind: 'resource',
          of: created,
          encrypted: cipher.encrypt('shown-once', suffix, JSON.stringify({last_used_at: null, url})),
        },
      };
    });
    requireOwnAnswer(call, parseWire(answer.body));
    return answer;
  };
}
