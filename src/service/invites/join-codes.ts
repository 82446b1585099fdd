import {type Call, everyScope} from '../../domain/core/access.js';
import {emptyCommit} from '../../domain/commit/commit.js';
import {fieldError, refusalForPeople} from '../../domain/core/errors.js';
import {type Id, storedId, suffixOf} from '../../domain/core/ids.js';
import {lifetimes, limits} from '../../domain/core/limits.js';
import {computeRetryAfter, hour} from '../../domain/core/quota.js';
import {normalizeEmail} from '../../domain/core/text.js';
import {createJoinSubject, type Invite} from '../../domain/invites/invite.js';
import type {ServiceContext} from '../core/context.js';
import {createQueueMailWrites} from '../core/queue-mail.js';
import {createMailedCodes} from '../tokens/mailed-codes.js';
import type {SignInRequest} from '../tokens/sessions.js';
import {createAddressKey} from './invite-records.js';

/** Creates a call for people who have no account yet. */
export function createJoinCall(workspace: Id<'workspace'>, {deadline, requestId}: SignInRequest): Call {
  const id = storedId<'service_account'>('svc_invites');
  return {
    workspace,
    principal: {type: 'service_account', id, name: 'Invites'},
    scopes: everyScope,
    deadline,
    entryPoint: 'dashboard',
    ...(requestId !== undefined && {requestId}),
  };
}

/** An address, and the code that was mailed to it. */
export interface AddressProof {
  readonly email: string;
  readonly code: string;
}

/** Codes with which people without an account prove their address, to join by a link for several people. */
export function createJoinCodes(context: ServiceContext) {
  const {mutate, mail, waysIn, generateSuffix, admissions} = context;
  const codes = createMailedCodes(context);

  /**
   * True if people without an account must prove an address. In development they must not, since only the Mail
   * page shows the code, unless the link is for addresses of a domain.
   */
  const needsCode = ({email, email_domain: domain}: Invite): boolean =>
    email === null && waysIn.has('mail') && (mail === 'sent' || (mail === 'kept' && domain !== null));

  /** Counts a code to join by a link, which anyone who has the link may ask for at any address. */
  async function countAsked({id}: Invite, deadline: number): Promise<void> {
    const cost = {limits: {all: limits.codesPerInvite, writes: 0}, isWrite: false, period: hour};
    const verdict = await admissions.countFailure(`join:${suffixOf(id)}`, cost, deadline);
    if (verdict?.granted !== false) return;
    const retryAfter = computeRetryAfter(cost, verdict);
    throw refusalForPeople(
      'rate_limited',
      `Too many people asked for a code with this link. Try again in ${Math.ceil(retryAfter / 60)} min.`,
      {retryAfter},
    );
  }

  return {
    needsCode,
    /**
     * Starts a code for an address, and returns the function that mails it. It mails to everyone, so it shows
     * nothing about members. Errors: `forbidden`, `rate_limited`.
     */
    async ask(
      {workspace, invite}: {readonly workspace: Id<'workspace'>; readonly invite: Invite},
      {link, email: given}: {readonly link: string; readonly email: string},
      {deadline, requestId}: SignInRequest,
    ): Promise<(deadline: number) => Promise<void>> {
      await countAsked(invite, deadline);
      const email = normalizeEmail(given);
      const {code, at} = await codes.start(createJoinSubject(invite, email), deadline);
      return async (later) => {
        const call = createJoinCall(workspace, {deadline: later, requestId});
        const writes = createQueueMailWrites(context, {
          suffix: generateSuffix(),
          fact: {kind: 'sign_in_code', invite: suffixOf(invite.id)},
          to: email,
          address: createAddressKey(email),
          secret: `${code} ${link}`,
          until: at + lifetimes.signInCode * 1_000,
        });
        await mutate(call, () => Promise.resolve({...emptyCommit, writes}));
      };
    },
    /**
     * Returns the address that a person has proven; null where none is asked for. Errors: `invalid_token`;
     * `validation_failed` without a proof.
     */
    async prove(invite: Invite, proof: AddressProof | undefined, deadline: number): Promise<string | null> {
      if (!needsCode(invite)) return null;
      if (proof === undefined)
        throw fieldError('validation_failed', '#/email', '`email` is needed, with the code mailed to it.');
      const email = normalizeEmail(proof.email);
      await codes.take(createJoinSubject(invite, email), proof.code, deadline);
      return email;
    },
  };
}
