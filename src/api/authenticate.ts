import {LRUCache} from 'lru-cache';
import type {Access, Call, ExternalIdentity, Principal} from '../domain/access.js';
import {AppError} from '../domain/errors.js';
import type {AccessTokens, VerifiedToken} from './access-token.js';
import type {ExternalIssuers} from './external-issuers.js';

/** Finds out who sends a request. Errors: `authentication_required`, `invalid_token`. */
export type Authenticate = (authorization: string | undefined, deadline: number) => Promise<Required<Access>>;

export interface AuthenticateParts {
  readonly tokens: Pick<AccessTokens, 'verify'>;
  readonly externals: ExternalIssuers;
  readonly findExternalCaller: (
    identity: ExternalIdentity,
    deadline: number,
  ) => Promise<{readonly workspace: string; readonly principal: Principal}>;
  readonly findPrincipal: (workspace: string, id: string, deadline: number) => Promise<Principal | undefined>;
  readonly requireLiveToken: (call: Pick<Call, 'workspace' | 'token' | 'deadline'>) => Promise<void>;
  /** Remembers, at no cost, that a token was used. */
  readonly noteUse: (workspace: string, token: string) => void;
}

/** A changed name is shown everywhere within this time. */
const principalLifetimeMs = 30_000;
const maxPrincipals = 10_000;

const bearer = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i;

export function createAuthenticate({
  tokens,
  externals,
  findExternalCaller,
  findPrincipal,
  requireLiveToken,
  noteUse,
}: AuthenticateParts): Authenticate {
  const principals = new LRUCache<string, Principal>({max: maxPrincipals, ttl: principalLifetimeMs});

  async function loadPrincipal(token: VerifiedToken, deadline: number): Promise<Principal> {
    const {workspace, subject, id, expiresAt} = token;
    const found = await findPrincipal(workspace, subject, deadline);
    if (found !== undefined) {
      principals.set(`${workspace} ${subject}`, found);
      return found;
    }
    // On a store that has lost its data everybody is missing: that is not the token's fault.
    await requireLiveToken({workspace, token: {id, expiresAt}, deadline});
    throw new AppError('invalid_token', 'The holder of the access token is gone.');
  }

  return async function authenticate(authorization, deadline) {
    if (authorization === undefined) {
      throw new AppError(
        'authentication_required',
        'Send an access token: `Authorization: Bearer <ACCESS_TOKEN>`. `standup token create` makes one.',
      );
    }
    const token = bearer.exec(authorization)?.[1];
    if (token === undefined) {
      throw new AppError(
        'invalid_token',
        'The Authorization header is not of the form `Bearer <ACCESS_TOKEN>`.',
      );
    }
    const external = await externals.verify(token, deadline);
    if (external !== undefined) {
      // Looked up for every request: who is nobody any more is refused at once.
      const caller = await findExternalCaller(external.identity, deadline);
      const {issuer} = external.identity;
      const credential = {id: caller.principal.id, expiresAt: external.expiresAt, issuer};
      return {...caller, scopes: external.scopes, token: credential};
    }
    const verified = await tokens.verify(token);
    const {id, subject, workspace, scopes, expiresAt, session} = verified;
    const principal = principals.get(`${workspace} ${subject}`) ?? (await loadPrincipal(verified, deadline));
    noteUse(workspace, id);
    return {workspace, principal, scopes, token: {id, expiresAt, ...(session && {session})}};
  };
}
