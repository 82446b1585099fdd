import type {AccessToken, Call, Scope} from '../../domain/core/access.js';
import {toInstant} from '../../domain/core/dates.js';
import {AppError} from '../../domain/core/errors.js';
import {type Draft, parseWire} from '../../domain/core/resource.js';
import type {Pass} from '../../domain/tokens/session.js';
import type {Answer} from '../core/answers.js';
import type {CallerRole, Proof} from '../core/authority.js';
import type {ServiceContext} from '../core/context.js';
import {findParentToken, requireNoMoreScopes, requireOwnAnswer, requireOwnToken} from './token-grants.js';
import {createTokenRecords, hashSecret} from './token-records.js';

/** An access token in an address, which is read without another credential. */
export interface SecretAddress {
  readonly kind: AccessToken['kind'];
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** The lifetime in seconds. */
  readonly lifetime: number;
  /** The largest number of such addresses of a person, and the sentence for one more. */
  readonly most: number;
  readonly tooMany: string;
  /** The text behind the secret in the address. It is a part of the secret, so no one can change it. */
  readonly bound?: string;
  readonly createAddress: (pass: Pass) => string;
}

export type MadeAddress = AccessToken & {readonly url: string};

/**
 * Creates a secret address of the caller. The answer has `url`, which is shown only here and to repeated
 * requests with the same idempotency key and access token. It expires no later than the caller's token, unless
 * that is a session's. `plan` decides what the address opens; it may refuse, and is repeated if the store has
 * changed. Errors: `scope_escalation`, `limit_reached`, those of `plan`.
 */
export function createSecretAddressMaker(context: ServiceContext) {
  const {mutate, authority, cipher, clock, generateSuffix, generateSecret, sha256} = context;
  const tokenRecords = createTokenRecords(context);

  function computeExpiry({token}: Call, lifetime: number): string {
    const usual = (Math.floor(clock.now() / 1_000) + lifetime) * 1_000;
    return toInstant(token?.session === true ? usual : Math.min(usual, token?.expiresAt ?? usual));
  }

  return async function createSecretAddress(
    call: Call,
    plan: (role: CallerRole) => Promise<{readonly address: SecretAddress; readonly proof?: Proof}>,
  ): Promise<Answer<MadeAddress>> {
    const suffix = generateSuffix();
    const secret = generateSecret();
    const answer = await mutate<MadeAddress>(call, async () => {
      requireOwnToken(call);
      const {role, proof} = await authority.prove(call);
      const {address, proof: further = []} = await plan(role);
      const {kind, name, scopes, lifetime, most, tooMany, bound} = address;
      requireNoMoreScopes(call, scopes);
      const draft: Draft<AccessToken> = {
        object: 'access_token',
        name,
        kind,
        holder: call.principal,
        scopes,
        expires_at: computeExpiry(call, lifetime),
        created_by: call.principal,
        parent: findParentToken(call),
        client: null,
      };
      const whole = bound === undefined ? secret : `${secret}.${bound}`;
      const {created, ...planned} = await tokenRecords.planToken(
        call,
        draft,
        {suffix, proof: hashSecret(sha256, whole)},
        (live) => {
          if (live.length < most) return [];
          throw new AppError('limit_reached', tooMany);
        },
      );
      const url = address.createAddress({workspace: call.workspace, suffix, secret: whole});
      return {
        ...planned,
        guards: [...proof, ...further, ...planned.guards],
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
