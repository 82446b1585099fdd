import {type Id, isId} from '../../domain/core/ids.js';
import type {Call, Principal, Scope} from '../../domain/core/access.js';
import type {Guard} from '../../domain/commit/commit.js';
import type {MemberRole} from '../../domain/workspaces/workspace.js';
import {AppError, fieldError} from '../../domain/core/errors.js';
import type {CallerRole} from '../core/authority.js';
import {findReferredMember} from '../members/member-records.js';
import {createMemberReferences} from '../members/member-references.js';
import type {People} from '../members/people.js';
import type {Records} from '../../store/core/records.js';

/** The parts of a token request. Without `member` and `service_account` the caller is the holder. */
export interface TokenRequest {
  readonly name: string;
  /** Reading and writing standups when left out. */
  readonly scopes?: readonly Scope[] | undefined;
  /** Seconds, as `lifetime`. */
  readonly expires_in?: number | undefined;
  /** Id, e-mail address or Slack user. */
  readonly member?: string | undefined;
  /** Name; created if there is none. */
  readonly service_account?: string | undefined;
}

/** `what`: the name of the new token in refusals. */
export function createChooseHolder(
  {
    records,
    people,
  }: {
    readonly records: Records;
    readonly people: Pick<People, 'ensureServiceAccount'>;
  },
  what: 'token' | 'sign-in link' = 'token',
) {
  /** A token acts with its holder's role, so a caller cannot make one for a holder with a higher role. */
  return async function chooseHolder(
    call: Call,
    {member, service_account: account}: Pick<TokenRequest, 'member' | 'service_account'>,
    role: CallerRole,
  ): Promise<{holder: Principal; role?: MemberRole; guards: readonly Guard[]}> {
    if (member === undefined && account === undefined) return {holder: call.principal, guards: []};
    if (account !== undefined) {
      if (role === 'member')
        throw forbidden('Only an owner or an admin may make tokens for a service account.');
      const {idempotency: _, ...withoutKey} = call;
      const holder = await people.ensureServiceAccount(withoutKey, account);
      // An account without a token may be removed meanwhile; its record has one revision.
      return {holder, guards: [{check: 'revision', id: holder.id, revision: 1}]};
    }
    const found = await findReferredMember(records, call, member ?? '');
    const self = found?.id === call.principal.id;
    if (role === 'service_account') {
      throw forbidden(
        what === 'token'
          ? 'A service account may make tokens only for service accounts: name one by `service_account`.'
          : 'A service account may make no sign-in links: only people sign in.',
      );
    }
    if (role === 'member' && !self) {
      throw forbidden(`Only an owner or an admin may make a ${what} for another member.`);
    }
    if (found === undefined) {
      const detail = await createMemberReferences({records}).unknown(call, member ?? '');
      throw fieldError('validation_failed', '#/member', `\`member\` must name a member. ${detail}`);
    }
    if (found.role === 'owner' && role === 'admin') {
      throw forbidden(`Only an owner may make a ${what} for an owner: it would act with that role.`);
    }
    return {
      holder: {type: 'member', id: found.id, name: found.name},
      role: found.role,
      // If the role has changed, or the member is gone, the check must be repeated.
      guards: [{check: 'revision', id: found.id, revision: found.revision}],
    };
  };
}

/** Errors: `forbidden` for a token that cannot be revoked here. */
export function requireOwnToken({token}: Call): void {
  if (token?.issuer === undefined) return;
  throw forbidden('A token of a trusted issuer may make no tokens here: they would outlive it.');
}

/** The token with which a new one expires. A session acts for the person, so its tokens have none. */
export function parentOf({token}: Call): Id<'access_token'> | null {
  const id = token?.session === true ? undefined : token?.id;
  return id !== undefined && isId('access_token', id) ? id : null;
}

/** A token cannot make one with more scopes than itself, whatever the holder's role. */
export function requireNotWider({scopes}: Call, wanted: readonly Scope[]): void {
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

function forbidden(message: string): AppError {
  return new AppError('forbidden', message);
}
