import type {AccessToken, Call, Principal, Scope} from '../domain/access.js';
import {toInstant} from '../domain/dates.js';
import {AppError, fieldError, notFound} from '../domain/errors.js';
import {drawnPart, isId} from '../domain/ids.js';
import {lifetimes, limits} from '../domain/limits.js';
import {lists} from '../domain/lists.js';
import type {Draft} from '../domain/resource.js';
import type {Mutate, Plan} from './mutation.js';
import type {Clock, DrawId, Records} from './stores.js';

export interface NewToken {
  readonly name: string;
  readonly holder: Principal;
  readonly scopes: readonly Scope[];
  /** Seconds; 90 days when left out, 366 days at most. */
  readonly lifetime?: number | undefined;
}

/** What a signed access token says; the signer adds issuer and audience. Instants in seconds. */
export interface TokenClaims {
  readonly id: string;
  readonly subject: string;
  readonly workspace: string;
  readonly scopes: readonly Scope[];
  readonly issuedAt: number;
  readonly expiresAt: number;
}

export interface Tokens {
  /** Makes a token; `value` is known only now. Errors: `limit_reached`, `validation_failed`. */
  issueToken(call: Call, input: NewToken): Promise<{token: AccessToken; value: string}>;
  /** Live tokens of the workspace, newest first. */
  listTokens(call: Pick<Call, 'workspace' | 'deadline'>): Promise<AccessToken[]>;
  /** Revokes at once, in every process. */
  revokeToken(call: Call, id: string): Promise<void>;
}

export interface TokenParts {
  readonly mutate: Mutate;
  readonly records: Records;
  readonly clock: Clock;
  readonly drawId: DrawId;
  readonly sign: (claims: TokenClaims) => Promise<string>;
}

const manyTokens = 1_000;

export function createTokens({mutate, records, clock, drawId, sign}: TokenParts): Tokens {
  async function planIssue(call: Call, input: NewToken, drawn: string, expiresAt: number): Promise<Plan> {
    const ofHolder = lists.accessTokensOf(input.holder.id);
    const {rows} = await records.list(call.workspace, {list: ofHolder, limit: manyTokens}, call.deadline);
    const held = rows.map(({json}) => JSON.parse(json) as AccessToken);
    const expired = held.filter(({expires_at}) => Date.parse(expires_at) <= clock.now());
    if (held.length - expired.length >= limits.tokensPerPrincipal) {
      throw new AppError(
        'limit_reached',
        `${input.holder.name} has ${limits.tokensPerPrincipal} live tokens already. Revoke one first.`,
      );
    }
    const draft: Draft<AccessToken> = {
      object: 'access_token',
      name: input.name,
      holder: input.holder,
      scopes: input.scopes,
      expires_at: toInstant(expiresAt),
    };
    return {
      commit: {
        guards: [{check: 'shorter', list: ofHolder, than: held.length + 1}],
        writes: [
          ...expired.slice(0, 10).map(({id, revision}) => ({
            do: 'remove' as const,
            id,
            from: revision,
            lists: [lists.accessTokens(), ofHolder],
          })),
          {
            do: 'create',
            kind: 'access_token',
            drawn,
            draft,
            lists: [{list: lists.accessTokens()}, {list: ofHolder}],
          },
          {do: 'allow-token', drawn, expiresAt},
        ],
        events: [{type: 'token.created', about: drawn, revision: 1}],
        reply: {status: 201, resource: {drawn, revision: 1}},
      },
    };
  }

  return {
    async issueToken(call, input) {
      const lifetime = input.lifetime ?? lifetimes.tokenDefault;
      if (lifetime < 60 || lifetime > lifetimes.tokenMax) {
        throw fieldError('validation_failed', '#/expires', 'A token lives for 1 minute to 366 days.');
      }
      const drawn = drawId();
      const issuedAt = clock.now();
      // Whole seconds, so that the claim and the store agree to the millisecond.
      const expiresAt = (Math.floor(issuedAt / 1_000) + lifetime) * 1_000;
      const answer = await mutate(call, () => planIssue(call, input, drawn, expiresAt));
      const token = JSON.parse(answer.body ?? '{}') as AccessToken;
      const value = await sign({
        id: token.id,
        subject: input.holder.id,
        workspace: call.workspace,
        scopes: input.scopes,
        issuedAt: Math.floor(issuedAt / 1_000),
        expiresAt: expiresAt / 1_000,
      });
      return {token, value};
    },
    async listTokens({workspace, deadline}) {
      const {rows} = await records.list(workspace, {list: lists.accessTokens(), limit: manyTokens}, deadline);
      const all = rows.map(({json}) => JSON.parse(json) as AccessToken);
      return all.filter(({expires_at}) => Date.parse(expires_at) > clock.now());
    },
    async revokeToken(call, id) {
      await mutate(call, async () => {
        const token = isId('access_token', id)
          ? await records.find<AccessToken>(call.workspace, id, call.deadline)
          : undefined;
        if (token === undefined) throw notFound('token');
        return {
          commit: {
            effect: 'release',
            guards: [],
            writes: [
              {
                do: 'remove',
                id,
                from: token.revision,
                lists: [lists.accessTokens(), lists.accessTokensOf(token.holder.id)],
              },
              {do: 'revoke-token', id},
            ],
            events: [{type: 'token.revoked', about: drawnPart(id), revision: token.revision}],
            reply: {status: 204},
          },
        };
      });
    },
  };
}
