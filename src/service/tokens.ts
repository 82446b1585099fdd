import {
  type Access,
  type AccessToken,
  type Call,
  completeToken,
  type Principal,
  type Scope,
  type ShownAccessToken,
} from '../domain/access.js';
import type {Guard} from '../domain/commit.js';
import {toInstant} from '../domain/dates.js';
import {AppError, fieldError, notFound} from '../domain/errors.js';
import {isId} from '../domain/ids.js';
import {lifetimes, limits} from '../domain/limits.js';
import {lists, type Row} from '../domain/lists.js';
import {type Draft, withMembers} from '../domain/resource.js';
import type {Authority, Standing} from './authority.js';
import type {Answer, Mutate, Plan} from './mutation.js';
import type {Page} from './page.js';
import type {People} from './people.js';
import {type Expected, requireRevision} from './precondition.js';
import type {Clock, DrawId, Records, TokenUse} from './stores.js';
import {createChooseHolder, requireNotWider, type TokenRequest} from './token-grants.js';
import {isLive, type TokenLines, tokenLists, tokenRemoval} from './token-lines.js';

/** What the operator asks for, who has chosen the holder already. */
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
  /** Makes a token in the operator's name. Errors: `limit_reached`, `validation_failed`. */
  issueToken(call: Call, input: NewToken): Promise<{token: AccessToken; value: string}>;
  /**
   * Makes a token that is never wider than the caller's, for a holder who stands no higher. The answer has `token`, its value: shown
   * only here and to repeats with the same idempotency key, and stored nowhere. It lives no longer than the token that it was made with.
   * Errors: `scope_escalation`, `forbidden`, `limit_reached`, `validation_failed`.
   */
  createToken(call: Call, input: TokenRequest): Promise<Answer>;
  /** Errors: `not_found` also for one that has expired; `forbidden` for another's, unless the caller runs the workspace. */
  findToken(access: Access & {deadline: number}, id: string): Promise<ShownAccessToken>;
  /** Live tokens, newest first: all for those who run the workspace, their own for everybody else. */
  listTokenPage(access: Access & {deadline: number}, query: TokenQuery): Promise<Page>;
  /** All live tokens of the workspace, newest first, for the operator. */
  listTokens(call: Pick<Call, 'workspace' | 'deadline'>): Promise<AccessToken[]>;
  /** Revokes at once, in every process, with all that were made with it. Errors: `not_found`, `forbidden` as for `findToken`. */
  revokeToken(call: Call, id: string, expected?: Expected): Promise<Answer>;
}

export interface TokenQuery {
  /** Id of a principal. */
  readonly createdBy?: string | undefined;
  readonly below?: number | undefined;
  readonly limit: number;
}

export interface TokenParts {
  readonly mutate: Mutate;
  readonly records: Records;
  readonly clock: Clock;
  readonly drawId: DrawId;
  readonly authority: Authority;
  readonly people: Pick<People, 'ensureServiceAccount'>;
  readonly tokenUse: TokenUse;
  readonly tokenLines: TokenLines;
  readonly signer: {
    findSigningKeyId(deadline: number): Promise<string>;
    /** The same claims and key give the same bytes every time. */
    sign(claims: TokenClaims, kid: string): Promise<string>;
  };
}

const manyTokens = 1_000;
const defaultScopes: readonly Scope[] = ['standups:read', 'standups:write'];

export function createTokens(parts: TokenParts): Tokens {
  const {mutate, records, clock, drawId, authority, tokenUse, tokenLines, signer} = parts;
  const chooseHolder = createChooseHolder(parts);

  /** Whole seconds, so that the claim and the store agree to the millisecond. */
  function expiryOf(lifetime: number = lifetimes.tokenDefault, {token}: Partial<Call> = {}): number {
    if (lifetime < lifetimes.tokenMin || lifetime > lifetimes.tokenMax) {
      throw fieldError('validation_failed', '#/expires_in', 'A token lives for 1 minute to 366 days.');
    }
    const asked = (Math.floor(clock.now() / 1_000) + lifetime) * 1_000;
    return Math.min(asked, token?.expiresAt ?? asked);
  }

  async function planIssue(
    call: Call,
    input: Omit<NewToken, 'lifetime'> & Pick<AccessToken, 'created_by' | 'parent'>,
    made: {readonly drawn: string; readonly expiresAt: number},
    guards: readonly Guard[],
  ): Promise<Plan> {
    const ofHolder = lists.accessTokensOf(input.holder.id);
    const {rows} = await records.list(call.workspace, {list: ofHolder, limit: manyTokens}, call.deadline);
    const held = rows.map(toToken);
    const expired = held.filter((token) => !isLive(token, clock));
    if (held.length - expired.length >= limits.tokensPerPrincipal) {
      throw new AppError(
        'limit_reached',
        `${input.holder.name} has ${limits.tokensPerPrincipal} live tokens already. Revoke one first.`,
      );
    }
    const {drawn, expiresAt} = made;
    const draft: Draft<AccessToken> = {
      object: 'access_token',
      name: input.name,
      holder: input.holder,
      scopes: input.scopes,
      expires_at: toInstant(expiresAt),
      created_by: input.created_by,
      parent: input.parent,
    };
    return {
      commit: {
        guards: [...guards, {check: 'shorter', list: ofHolder, than: held.length + 1}],
        writes: [
          ...expired.slice(0, 10).flatMap((token) => tokenRemoval(token)),
          {
            do: 'create',
            kind: 'access_token',
            drawn,
            draft,
            lists: tokenLists(draft).map((list) => ({list})),
          },
          {do: 'allow-token', drawn, expiresAt},
        ],
        events: [{type: 'token.created', about: drawn, revision: 1}],
        reply: {
          status: 201,
          resource: {drawn, revision: 1},
          signedBy: await signer.findSigningKeyId(call.deadline),
        },
      },
    };
  }

  /** Signs what has been committed, now or for a repeat: every claim stands in the resource, and the reply remembers the key. */
  async function signAnswer(call: Call, answer: Answer): Promise<{token: AccessToken; value: string}> {
    const {body, signedBy} = answer;
    if (body === undefined || signedBy === undefined) throw new Error('a token was made without an answer');
    const token = JSON.parse(body) as AccessToken;
    const claims = {
      id: token.id,
      subject: token.holder.id,
      workspace: call.workspace,
      scopes: token.scopes,
      issuedAt: Math.floor(Date.parse(token.created_at) / 1_000),
      expiresAt: Date.parse(token.expires_at) / 1_000,
    };
    return {token, value: await signer.sign(claims, signedBy)};
  }

  async function requireToken(
    access: Access & {deadline: number},
    id: string,
    act: string,
  ): Promise<{token: AccessToken; proof: readonly Guard[]}> {
    const {workspace, principal, deadline} = access;
    const found = isId('access_token', id)
      ? await records.find<AccessToken>(workspace, id, deadline)
      : undefined;
    if (found === undefined || !isLive(found, clock)) throw notFound('token');
    const token = completeToken(found);
    const own = token.holder.id === principal.id;
    return {token, proof: own ? [] : await authority.requireAdmin(access, act)};
  }

  async function listLive(
    {workspace, principal, deadline}: Access & {deadline: number},
    standing: Standing,
    {createdBy, below, limit}: TokenQuery,
  ): Promise<{rows: Row[]; more: boolean}> {
    const all = createdBy === undefined ? lists.accessTokens() : lists.accessTokensBy(createdBy);
    const list = standing === 'member' ? lists.accessTokensOf(principal.id) : all;
    const fits = (token: AccessToken) =>
      isLive(token, clock) && (createdBy === undefined || token.created_by?.id === createdBy);
    const live: Row[] = [];
    for (let from = below; ; ) {
      const query = {list, limit: limits.pageMax, ...(from !== undefined && {below: from})};
      const {rows, more} = await records.list(workspace, query, deadline);
      live.push(...rows.filter((row) => fits(toToken(row))));
      from = rows.at(-1)?.place;
      if (live.length > limit || !more || from === undefined) {
        return {rows: live.slice(0, limit), more: live.length > limit};
      }
    }
  }

  return {
    async issueToken(call, input) {
      const made = {drawn: drawId(), expiresAt: expiryOf(input.lifetime)};
      const own = {...input, created_by: null, parent: null};
      return signAnswer(call, await mutate(call, () => planIssue(call, own, made, [])));
    },
    async createToken(call, request) {
      const made = {drawn: drawId(), expiresAt: expiryOf(request.expires_in, call)};
      const answer = await mutate(call, async () => {
        if (call.token?.issuer !== undefined) {
          throw new AppError(
            'forbidden',
            'A token of a trusted issuer may make no tokens here: they would outlive it.',
          );
        }
        requireNotWider(call, request.scopes ?? defaultScopes);
        const {standing, proof} = await authority.prove(call);
        const {holder, guards} = await chooseHolder(call, request, standing);
        const granted = [...new Set(request.scopes ?? defaultScopes)];
        const by = {created_by: call.principal, parent: call.token?.id ?? null};
        const input = {name: request.name, holder, scopes: granted, ...by};
        return planIssue(call, input, made, [...proof, ...guards]);
      });
      const {token, value} = await signAnswer(call, answer);
      const shown = {last_used_at: null, token: value};
      return {...answer, id: token.id, body: withMembers(answer.body ?? '', shown)};
    },
    async findToken(access, id) {
      const {token} = await requireToken(access, id, 'see tokens of others');
      const [used] = await tokenUse.find(access.workspace, [id], access.deadline);
      return {...token, last_used_at: used === undefined ? null : toInstant(used)};
    },
    async listTokenPage(access, query) {
      const {standing} = await authority.prove(access);
      const {rows, more} = await listLive(access, standing, query);
      const ids = rows.map((row) => toToken(row).id);
      const used = await tokenUse.find(access.workspace, ids, access.deadline);
      return {
        rows: rows.map((row, i) => {
          const last = used[i];
          return withMembers(JSON.stringify(toToken(row)), {
            last_used_at: last === undefined ? null : toInstant(last),
          });
        }),
        next: more ? rows.at(-1)?.place : undefined,
      };
    },
    async listTokens({workspace, deadline}) {
      const {rows} = await records.list(workspace, {list: lists.accessTokens(), limit: manyTokens}, deadline);
      return rows.map(toToken).filter((token) => isLive(token, clock));
    },
    revokeToken: (call, id, expected) =>
      mutate(call, async () => {
        const {token, proof} = await requireToken(call, id, 'revoke tokens of others');
        requireRevision(expected, token.revision);
        const {guards, ...revoked} = await tokenLines.planRevocation(call, token);
        return {
          commit: {
            effect: 'release',
            guards: [...proof, ...guards],
            ...revoked,
            reply: {status: 204},
          },
        };
      }),
  };
}

function toToken({json}: Row): AccessToken {
  return completeToken(JSON.parse(json) as AccessToken);
}
