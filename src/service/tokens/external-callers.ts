import type {ExternalIdentity, Principal, TrustedIssuer} from '../../domain/core/access.js';
import {AppError} from '../../domain/core/errors.js';
import type {Id} from '../../domain/core/ids.js';
import {isEmailAddress} from '../../domain/core/text.js';
import {SignInRefused, type VouchedAddress, type VouchedMember} from '../../domain/tokens/sign-in.js';
import type {ServiceContext} from '../core/context.js';
import {
  findByAddress as findMemberByAddress,
  findByUniqueName,
  isUnconfirmedOwner,
} from '../core/member-references.js';
import {operatorCall} from '../workspaces/workspaces.js';
import {createServiceAccountFinder} from './service-accounts.js';

export function createExternalCallers(context: ServiceContext) {
  const {trustedIssuers, workspaces, records} = context;
  const ensureServiceAccount = createServiceAccountFinder(context);
  const rulesOf = (issuer: string) => trustedIssuers.find((one) => one.issuer === issuer);

  /** Finds a workspace; undefined if it does not exist or the issuer may not act for it. */
  async function findWorkspace(rules: TrustedIssuer, claimed: string | undefined, deadline: number) {
    const reference = claimed ?? (rules.workspaceClaim === undefined ? rules.workspaces[0] : undefined) ?? '';
    const found = await workspaces.findByReference(reference, deadline);
    const allowed = rules.workspaces.some((one) => one === found?.id || one.toLowerCase() === found?.slug);
    return allowed ? found : undefined;
  }

  const findByAddress = (workspace: Id<'workspace'>, email: string, deadline: number) =>
    findMemberByAddress(records, {workspace, deadline}, email);

  return {
    /**
     * Finds the workspace and principal for a token of a trusted issuer. The issuer's rules may name a
     * service account for the token's subject, which is created on first use. Otherwise the principal is the
     * member with the verified e-mail address. No one else gets access. Errors: `invalid_token`.
     */
    async findCaller(
      {issuer, subject, email, workspace: claimed}: ExternalIdentity,
      deadline: number,
    ): Promise<{readonly workspace: Id<'workspace'>; readonly principal: Principal}> {
      const rules = rulesOf(issuer);
      if (rules === undefined) throw createInvalidTokenError('is of an issuer that is not trusted');
      const workspace = (await findWorkspace(rules, claimed, deadline))?.id;
      if (workspace === undefined)
        throw createInvalidTokenError('is for a workspace that its issuer does not speak for');
      const account = rules.serviceAccounts.get(subject);
      if (account !== undefined) {
        const call = operatorCall(workspace, deadline);
        const known = await findByUniqueName(records, call, 'service-account', account);
        const {id, name} = known ?? (await ensureServiceAccount(call, account));
        return {workspace, principal: {type: 'service_account', id, name}};
      }
      const member = email === undefined ? undefined : await findByAddress(workspace, email, deadline);
      if (member === undefined) {
        throw createInvalidTokenError(
          'has an unknown subject: no service account is named for it in TRUSTED_ISSUERS, and no member has its verified e-mail address',
        );
      }
      if (await isUnconfirmedOwner(records, {workspace, deadline}, member)) {
        throw createInvalidTokenError(
          'has the e-mail address of an owner, set by a member who is not an owner: another owner must confirm it by PATCH /v1/members/{member} with `role`, `email` and `slack_user_id`',
        );
      }
      return {workspace, principal: {type: 'member', id: member.id, name: member.name}};
    },
    /**
     * Finds the member that a trusted issuer has signed in, only by verified e-mail address; returns the
     * address if it is that of no member. Service accounts are for programs, which do not sign in. Errors:
     * `SignInRefused`.
     */
    async findVouched(
      {issuer, email, workspace: claimed}: ExternalIdentity,
      deadline: number,
    ): Promise<VouchedMember | VouchedAddress> {
      const rules = rulesOf(issuer);
      const workspace = rules && (await findWorkspace(rules, claimed, deadline))?.id;
      if (workspace === undefined) throw new SignInRefused('unknown_workspace');
      if (email === undefined) throw new SignInRefused('email_not_verified');
      const member = await findByAddress(workspace, email, deadline);
      if (member === undefined) {
        // An invite may store the address, so it must be one that a member may have.
        if (!isEmailAddress(email)) throw new SignInRefused('email_not_verified', 'no address');
        return {workspace, email};
      }
      if (await isUnconfirmedOwner(records, {workspace, deadline}, member))
        throw new SignInRefused('unconfirmed_name');
      return {workspace, member: member.id};
    },
  };
}

function createInvalidTokenError(what: string): AppError {
  return new AppError('invalid_token', `The access token ${what}.`);
}
