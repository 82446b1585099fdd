import type {
  AccessToken,
  Call,
  Caller,
  Principal,
  RequestContext,
  Scope,
  ShownAccessToken,
  TokenKind,
} from '../../domain/core/access.js';
import type {Commit, Guard} from '../../domain/commit/commit.js';
import type {Reply} from '../../domain/commit/reply.js';
import {toInstant} from '../../domain/core/dates.js';
import {AppError, fieldError, notFound} from '../../domain/core/errors.js';
import {type Id, isId, storedId, type IdSuffix} from '../../domain/core/ids.js';
import {lifetimes, limits} from '../../domain/core/limits.js';
import {lists, type Page, type PageQuery} from '../../domain/core/lists.js';
import {parseWire, type Draft, addFieldsToWireJson, type WireJson} from '../../domain/core/resource.js';
import type {ServiceContext} from '../core/context.js';
import type {Answer} from '../core/answers.js';
import {planNothing} from '../core/mutation.js';
import {readPages} from '../core/paging.js';
import type {CallerRole} from '../core/authority.js';
import {type Precondition, requireRevision} from '../core/precondition.js';
import {createTokenLines, isLiveToken} from './token-lines.js';
import {createTokenRecords, presentUsedToken, toToken, type UsedToken} from './token-records.js';
import {
  createTokenHolderChooser,
  findParentToken,
  requireNoMoreScopes,
  requireOwnAnswer,
  requireOwnToken,
  type TokenRequest,
} from './token-grants.js';

/** A token that the operator requests; its holder is already chosen. */
export interface NewToken {
  readonly name: string;
  readonly holder: Principal;
  readonly scopes: readonly Scope[];
  /** The lifetime in seconds: by default 90 days, at most 366 days. */
  readonly lifetime?: number | undefined;
}

export type Tokens = ReturnType<typeof createTokens>;

export interface TokenQuery extends PageQuery {
  /** The id of the principal who created the tokens. */
  readonly createdBy?: string | undefined;
  readonly kind?: TokenKind | undefined;
}

type PlannedNewToken = Commit & {readonly reply: Extract<Reply, {kind: 'resource'}>};

const manyTokens = 1_000;
const defaultScopes: readonly Scope[] = ['standups:read', 'standups:write'];

export function createTokens(context: ServiceContext) {
  const {mutate, records, clock, generateSuffix, authority, signer} = context;
  const tokenRecords = createTokenRecords(context);
  const tokenLines = createTokenLines(context);
  const chooseHolder = createTokenHolderChooser(context);

  /**
   * Returns when a token expires, in whole seconds, so that the token's claim and the store agree. A
   * session's tokens may outlast the session, which ends when the person signs out.
   */
  function computeTokenExpiry(lifetime: number = lifetimes.tokenDefault, {token}: Partial<Call> = {}) {
    if (lifetime < lifetimes.tokenMin || lifetime > lifetimes.tokenMax) {
      throw fieldError('validation_failed', '#/expires_in', 'A token lives for 1 minute to 366 days.');
    }
    const asked = (Math.floor(clock.now() / 1_000) + lifetime) * 1_000;
    return token?.session === true ? asked : Math.min(asked, token?.expiresAt ?? asked);
  }

  async function planIssueToken(
    call: Call,
    {
      name,
      holder,
      scopes,
      created_by,
      parent,
      client,
    }: Omit<NewToken, 'lifetime'> & Pick<AccessToken, 'created_by' | 'parent' | 'client'>,
    made: {readonly suffix: IdSuffix<'access_token'>; readonly expiresAt: number},
    guards: readonly Guard[],
  ): Promise<PlannedNewToken> {
    const draft: Draft<AccessToken> = {
      object: 'access_token',
      name,
      kind: 'token',
      holder,
      scopes,
      expires_at: toInstant(made.expiresAt),
      created_by,
      parent,
      client,
    };
    const {created, ...planned} = await tokenRecords.planToken(call, draft, made, (live) => {
      if (live.length < limits.tokensPerPrincipal) return [];
      throw new AppError(
        'limit_reached',
        `${holder.name} has ${limits.tokensPerPrincipal} live tokens already. Revoke one first.`,
      );
    });
    return {...planned, guards: [...guards, ...planned.guards], reply: {kind: 'resource', of: created}};
  }

  /** Plans the answer of a new token with its value, which the key signs for each repeat. */
  async function withSigningKey({deadline}: Call, planned: PlannedNewToken): Promise<Commit> {
    return {...planned, reply: {...planned.reply, signedBy: await signer.findSigningKeyId(deadline)}};
  }

  /**
   * Signs the committed token, for the first answer or a repeated one. All claims are in the resource, and
   * the reply records the key.
   */
  async function signTokenOfAnswer(
    call: Call,
    answer: Answer<AccessToken>,
  ): Promise<{token: AccessToken; value: string}> {
    const {body, signedBy} = answer;
    if (signedBy === undefined) throw new Error('a token was made without an answer');
    const token = parseWire(body);
    return {token, value: await signToken(call, token, signedBy)};
  }

  function signToken({workspace}: Pick<Call, 'workspace'>, token: AccessToken, kid: string): Promise<string> {
    const claims = {
      id: token.id,
      subject: token.holder.id,
      workspace,
      scopes: token.scopes,
      issuedAt: Math.floor(Date.parse(token.created_at) / 1_000),
      expiresAt: Date.parse(token.expires_at) / 1_000,
      // Tokens of earlier releases lack the field.
      ...(token.client === 'cli' && {client: token.client}),
    };
    return signer.sign(claims, kid);
  }

  /** Plans a token that the caller requests, with no more scopes than the caller's. */
  async function planRequestedToken(
    call: Call,
    request: TokenRequest,
    made: {readonly suffix: IdSuffix<'access_token'>; readonly expiresAt: number},
    client: AccessToken['client'],
  ): Promise<PlannedNewToken> {
    requireOwnToken(call);
    requireNoMoreScopes(call, request.scopes ?? defaultScopes);
    const {role, proof} = await authority.prove(call);
    const {holder, guards} = await chooseHolder(call, request, role);
    const granted = [...new Set(request.scopes ?? defaultScopes)];
    const by = {created_by: call.principal, parent: findParentToken(call), client};
    return planIssueToken(call, {name: request.name, holder, scopes: granted, ...by}, made, [
      ...proof,
      ...guards,
    ]);
  }

  async function requireToken(
    access: Caller,
    id: string,
    act: 'see' | 'revoke',
  ): Promise<UsedToken & {proof: readonly Guard[]}> {
    const {workspace, principal, deadline} = access;
    const found = isId('access_token', id) ? await records.find(workspace, id, deadline) : undefined;
    const [one] = found === undefined ? [] : await tokenRecords.withUse(access, [found]);
    if (one === undefined || !isLiveToken(one.token, clock, one.used)) throw notFound('token');
    const {holder} = one.token;
    if (holder.id === principal.id) return {...one, proof: []};
    const proof = await authority.requireAdmin(access, `${act} tokens of others`);
    const member =
      act === 'revoke' && isId('member', holder.id)
        ? await records.find(workspace, holder.id, deadline)
        : undefined;
    if (member === undefined) return {...one, proof};
    if (member.role === 'owner') await authority.requireOwner(access, 'revoke tokens of an owner');
    return {...one, proof: [...proof, {check: 'revision', id: member.id, revision: member.revision}]};
  }

  async function listLiveTokens(
    {workspace, principal, deadline}: Caller,
    role: CallerRole,
    {createdBy, kind, past, limit}: TokenQuery,
  ): Promise<Page<UsedToken>> {
    const all = createdBy === undefined ? lists.accessTokens() : lists.accessTokensBy(storedId(createdBy));
    const list = role === 'member' ? lists.accessTokensOf(principal.id) : all;
    const fits = ({token, used}: UsedToken) =>
      isLiveToken(token, clock, used) &&
      (kind === undefined || token.kind === kind) &&
      (createdBy === undefined || token.created_by?.id === createdBy);
    const found: {position: number; token: UsedToken}[] = [];
    for await (const rows of readPages(records, {workspace, deadline}, {list, past, limit: limits.pageMax})) {
      const tokens = await tokenRecords.withUse({workspace, deadline}, rows.map(toToken));
      found.push(
        ...tokens
          .map((token, i) => ({token, position: rows[i]?.position ?? 0}))
          .filter(({token}) => fits(token)),
      );
      if (found.length > limit) break;
    }
    const page = found.slice(0, limit);
    return {
      rows: page.map(({token}) => token),
      next: found.length > limit ? page.at(-1)?.position : undefined,
    };
  }

  return {
    /** Creates a token on behalf of the operator. Errors: `limit_reached`, `validation_failed`. */
    async issueToken(call: Call, input: NewToken): Promise<{token: AccessToken; value: string}> {
      const made = {suffix: generateSuffix(), expiresAt: computeTokenExpiry(input.lifetime)};
      const own = {...input, created_by: null, parent: null, client: null};
      const plan = async () => withSigningKey(call, await planIssueToken(call, own, made, []));
      return signTokenOfAnswer(call, await mutate(call, plan));
    },
    /**
     * Creates a token with no more scopes than the caller's, for a holder with no higher role. The answer has
     * the value as `token`. It is shown only here and to repeated requests with the same idempotency key and
     * access token, and stored nowhere. The token expires no later than the caller's token, unless that is a
     * session's. Errors: `scope_escalation`, `forbidden`, `limit_reached`, `validation_failed`.
     */
    async createToken(call: Call, request: TokenRequest): Promise<Answer<AccessToken>> {
      const made = {suffix: generateSuffix(), expiresAt: computeTokenExpiry(request.expires_in, call)};
      const plan = async () => withSigningKey(call, await planRequestedToken(call, request, made, null));
      const answer = await mutate<AccessToken>(call, plan);
      requireOwnAnswer(call, parseWire(answer.body));
      const {token, value} = await signTokenOfAnswer(call, answer);
      const shown = {last_used_at: null, token: value};
      return {...answer, id: storedId(token.id), body: addFieldsToWireJson(answer.body, shown)};
    },
    /**
     * Plans the token of a program that the caller approves, without its value. Its id is fixed: if it exists already,
     * nothing is created. Undefined: the approval is recorded, and its token is gone. Errors: those of `createToken`.
     */
    async planTokenOfLogin(
      call: Call,
      request: TokenRequest,
      {suffix, isRecorded}: {readonly suffix: IdSuffix<'access_token'>; readonly isRecorded: boolean},
    ): Promise<Commit | undefined> {
      const found = await records.findBySuffix(call.workspace, suffix, call.deadline);
      if (found !== undefined) return planNothing(found);
      if (isRecorded) return undefined;
      const made = {suffix, expiresAt: computeTokenExpiry(undefined, call)};
      return planRequestedToken(call, request, made, 'cli');
    },
    /** Signs a live token again, with the same bytes for the same key. Undefined: it was revoked. */
    async signAgain(
      asked: RequestContext,
      id: Id<'access_token'>,
      kid: string,
    ): Promise<{token: AccessToken; value: string} | undefined> {
      const token = await records.find(asked.workspace, id, asked.deadline);
      if (token === undefined || !isLiveToken(token, clock)) return undefined;
      return {token, value: await signToken(asked, token, kid)};
    },
    /**
     * Returns a token. Errors: `not_found`, also for an expired token; `forbidden` for another principal's
     * token, except for owners and admins.
     */
    async findToken(access: Caller, id: string): Promise<ShownAccessToken> {
      return presentUsedToken(await requireToken(access, id, 'see'));
    },
    /** Lists live tokens, newest first: all tokens for owners and admins, their own for everyone else. */
    async listTokenPage(access: Caller, query: TokenQuery): Promise<Page<WireJson<ShownAccessToken>>> {
      const {role} = await authority.prove(access);
      const {rows, next} = await listLiveTokens(access, role, query);
      return {rows: rows.map((token) => JSON.stringify(presentUsedToken(token))), next};
    },
    /** Lists all live tokens of the workspace for the operator, newest first. */
    async listTokens({workspace, deadline}: RequestContext): Promise<AccessToken[]> {
      const {rows} = await records.list(workspace, {list: lists.accessTokens(), limit: manyTokens}, deadline);
      const tokens = await tokenRecords.withUse({workspace, deadline}, rows.map(toToken));
      return tokens.filter(({token, used}) => isLiveToken(token, clock, used)).map(({token}) => token);
    },
    /**
     * Revokes a token at once, in every process, with all tokens that were made with it. Errors: `not_found`;
     * `forbidden` as for `findToken`, and for the token of an owner unless the caller is an owner.
     */
    revokeToken: (call: Call, id: string, expected?: Precondition): Promise<Answer<void>> =>
      mutate(call, async () => {
        const {token, proof} = await requireToken(call, id, 'revoke');
        requireRevision(expected, token.revision);
        const {guards, ...revoked} = await tokenLines.planRevocation(call, token);
        return {
          effect: 'release',
          guards: [...proof, ...guards],
          ...revoked,
          reply: {kind: 'empty'},
        };
      }),
  };
}
