import {type Id, isId} from '../../domain/core/ids.js';
import type {AccessToken, Call, Principal, Scope} from '../../domain/core/access.js';
import type {Guard} from '../../domain/commit/commit.js';
import type {MemberRole} from '../../domain/workspaces/workspace.js';
import {AppError, fieldError} from '../../domain/core/errors.js';
import type {ServiceContext} from '../core/context.js';
import {describeUnknownMember, findReferredMember} from '../core/member-references.js';
import type {CallerRole} from '../core/authority.js';
import {createServiceAccountFinder} from './service-accounts.js';

/** The fields of a token request. Without `member` and `service_account`, the caller is the holder. */
export interface TokenRequest {
  readonly name: string;
  /** The scopes. Left out: reading and writing standups. */
  readonly scopes?: readonly Scope[] | undefined;
  /** The lifetime in seconds: by default 90 days, at most 366 days. */
  readonly expires_in?: number | undefined;
  /** The holder: an id, an e-mail address or a Slack user. */
  readonly member?: string | undefined;
  /** The name of a service account, which is created if there is none. */
  readonly service_account?: string | undefined;
}

/** Creates the function that chooses the holder of a new token. `what`: its name in refusals. */
export function createTokenHolderChooser(context: ServiceContext, what: 'token' | 'sign-in link' = 'token') {
  const {records} = context;
  const ensureServiceAccount = createServiceAccountFinder(context);

  /** Chooses the holder. A token acts with its holder's role, so that must not be a higher one. */
  return async function chooseHolder(
    call: Call,
    {member, service_account: account}: Partial<TokenRequest>,
    role: CallerRole,
  ): Promise<{holder: Principal; role?: MemberRole; guards: readonly Guard[]}> {
    if (member === undefined && account === undefined) return {holder: call.principal, guards: []};
    if (account !== undefined) {
      if (role === 'member')
        throw createForbiddenError('Only an owner or an admin may make tokens for a service account.');
      const {idempotency: _, ...withoutKey} = call;
      const holder = await ensureServiceAccount(withoutKey, account);
      // A service account without a token may be removed meanwhile. Its record has only one revision.
      return {holder, guards: [{check: 'revision', id: holder.id, revision: 1}]};
    }
    const found = await findReferredMember(records, call, member ?? '');
    const self = found?.id === call.principal.id;
    if (role === 'service_account') {
      throw createForbiddenError(
        what === 'token'
          ? 'A service account may make tokens only for service accounts: name one by `service_account`.'
          : 'A service account may make no sign-in links: only people sign in.',
      );
    }
    if (role === 'member' && !self) {
      throw createForbiddenError(`Only an owner or an admin may make a ${what} for another member.`);
    }
    if (found === undefined) {
      const detail = await describeUnknownMember(records, call, member ?? '');
      throw fieldError('validation_failed', '#/member', `\`member\` must name a member. ${detail}`);
    }
    if (found.role === 'owner' && role === 'admin') {
      throw createForbiddenError(
        `Only an owner may make a ${what} for an owner: it would act with that role.`,
      );
    }
    return {
      holder: {type: 'member', id: found.id, name: found.name},
      role: found.role,
      // If the member's role changes, or the member is deleted, before the commit, these guards make the
      // commit fail, so that the check is repeated.
      guards: [{check: 'revision', id: found.id, revision: found.revision}],
    };
  };
}

/** Refuses a caller whose token cannot be revoked here. Errors: `createForbiddenError`. */
export function requireOwnToken({token}: Pick<Call, 'token'>): void {
  if (token?.issuer === undefined) return;
  throw createForbiddenError('A token of a trusted issuer may make no tokens here: they would outlive it.');
}

/** Returns the token with which a new one expires: none in a session, which acts for the person. */
export function findParentToken({token}: Call): Id<'access_token'> | null {
  const id = token?.session === true ? undefined : token?.id;
  return id !== undefined && isId('access_token', id) ? id : null;
}

/**
 * Checks that an answer with a secret is not a repeat for another token of the same person: it may have more
 * scopes than that token, and would outlive it. Errors: `forbidden`.
 */
export function requireOwnAnswer(call: Call, {parent}: AccessToken): void {
  if (parent === findParentToken(call)) return;
  throw createForbiddenError(
    'This `Idempotency-Key` was used with another token, and only that one may repeat the request. Use a new key.',
  );
}

/** Checks that a token does not create one with more scopes than its own, whatever the holder's role. */
export function requireNoMoreScopes({scopes}: Call, wanted: readonly Scope[]): void {
  const wider = wanted.filter((scope) => !scopes.has(scope));
  if (wider.length === 0) return;
  throw new AppError(
    'scope_escalation',
    `The new token would have scopes that yours lacks: ${wider.join(' ')}. Leave them out, or use a token that has them.`,
    {
      inputErrors: wider.map((scope) => ({
        code: 'scope_escalation',
        detail: `your token lacks "${scope}"`,
        pointer: '#/scopes',
      })),
    },
  );
}

function createForbiddenError(message: string): AppError {
  return new AppError('forbidden', message);
}
