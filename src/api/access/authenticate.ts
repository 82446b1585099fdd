import {createCache} from '../../domain/core/cache.js';
import type {Access, Call, ExternalIdentity, Principal, PrincipalId} from '../../domain/core/access.js';
import {AppError} from '../../domain/core/errors.js';
import type {AccessTokens, VerifiedToken} from './access-token.js';
import {getSignatureEnd} from './known-tokens.js';
import {hasBackslashClaim} from '../http/backslash-names.js';
import type {ExternalIssuers} from './external-issuers.js';
import type {Id} from '../../domain/core/ids.js';

/**
 * Finds the sender of a request, without waiting if they have sent another request a moment ago. `line`: the
 * end of the `Authorization` header, if it is known already. Errors: `authentication_required`,
 * `invalid_token`.
 */
export type Authenticate = (
  authorization: string | undefined,
  deadline: number,
  line?: string,
) => Required<Access> | Promise<Required<Access>>;

export interface AuthenticateParts {
  readonly tokens: Pick<AccessTokens, 'verify' | 'isStillGood'>;
  readonly externals: ExternalIssuers;
  readonly findExternalCaller: (
    identity: ExternalIdentity,
    deadline: number,
  ) => Promise<{readonly workspace: Id<'workspace'>; readonly principal: Principal}>;
  readonly findPrincipal: (
    workspace: Id<'workspace'>,
    id: PrincipalId,
    deadline: number,
  ) => Promise<Principal | undefined>;
  readonly requireLiveToken: (call: Pick<Call, 'workspace' | 'token' | 'deadline'>) => Promise<void>;
  /** Records that a token was used. The record is written later, so this costs the request nothing. */
  readonly noteUse: (workspace: Id<'workspace'>, token: Id<'access_token'>) => void;
}

/** The lifetime of a cached principal (ms): a changed name is shown everywhere within this time. */
const principalLifetimeMs = 30_000;
const maxPrincipals = 10_000;

/** The time (ms) for which a recent header needs no check. Afterwards, no token stays in memory. */
const recentMs = 1_000;
const maxRecent = 1_000;

interface RecentToken {
  readonly authorization: string;
  readonly access: Required<Access>;
  readonly verified: VerifiedToken;
}

const bearer = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i;

export function createAuthenticator({
  tokens,
  externals,
  findExternalCaller,
  findPrincipal,
  requireLiveToken,
  noteUse,
}: AuthenticateParts): Authenticate {
  const principals = createCache<Principal>(maxPrincipals, principalLifetimeMs - recentMs);
  /** The senders of recent requests, by the end of the header. Hashing the whole header would take longer. */
  const recent = new Map<string, RecentToken>();

  function findRecentToken(authorization: string, line: string): RecentToken | undefined {
    const one = recent.get(line);
    const isIt = one?.authorization === authorization && tokens.isStillGood(one.verified);
    return isIt ? one : undefined;
  }

  function rememberToken(one: RecentToken): void {
    if (recent.size === 0) setTimeout(() => recent.clear(), recentMs).unref();
    if (recent.size < maxRecent) recent.set(getSignatureEnd(one.authorization), one);
  }

  async function loadPrincipal(token: VerifiedToken, deadline: number): Promise<Principal> {
    const {workspace, subject, id, expiresAt} = token;
    const found = await findPrincipal(workspace, subject, deadline);
    if (found !== undefined) {
      principals.set(`${workspace} ${subject}`, found);
      return found;
    }
    // A store that lost its data has no principals, so a missing principal does not make the token invalid.
    await requireLiveToken({workspace, token: {id, expiresAt}, deadline});
    throw new AppError('invalid_token', 'The holder of the access token is gone.');
  }

  async function authenticateUncached(
    authorization: string | undefined,
    deadline: number,
  ): Promise<Required<Access>> {
    if (authorization === undefined) {
      throw new AppError(
        'authentication_required',
        'Send an access token: `Authorization: Bearer <ACCESS_TOKEN>`. `standup-admin token create` creates one.',
      );
    }
    const sent = bearer.exec(authorization)?.[1];
    if (sent === undefined) {
      throw new AppError(
        'invalid_token',
        'The Authorization header is not of the form `Bearer <ACCESS_TOKEN>`.',
      );
    }
    if (hasBackslashClaim(sent)) {
      throw new AppError('invalid_token', 'The access token names something with a backslash.');
    }
    const external = await externals.verify(sent, deadline);
    if (external !== undefined) {
      // The principal is looked up for every request, so that one that no longer exists is refused at once.
      const caller = await findExternalCaller(external.identity, deadline);
      const {issuer} = external.identity;
      const credential = {id: caller.principal.id, expiresAt: external.expiresAt, issuer};
      return {...caller, scopes: external.scopes, token: credential};
    }
    const verified = await tokens.verify(sent);
    const {id, subject, workspace, scopes, expiresAt, session, client} = verified;
    const principal = principals.get(`${workspace} ${subject}`) ?? (await loadPrincipal(verified, deadline));
    noteUse(workspace, id);
    const token = {id, expiresAt, ...(session && {session}), ...(client && {client})};
    const access = {workspace, principal, scopes, token};
    rememberToken({authorization, access, verified});
    return access;
  }

  return function authenticate(authorization, deadline, line) {
    const one =
      authorization === undefined
        ? undefined
        : findRecentToken(authorization, line ?? getSignatureEnd(authorization));
    if (one === undefined) return authenticateUncached(authorization, deadline);
    noteUse(one.access.workspace, one.verified.id);
    return one.access;
  };
}
