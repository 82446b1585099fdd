import type {Call} from '../../domain/core/access.js';
import {AppError} from '../../domain/core/errors.js';
import {overQuota} from '../../domain/core/quota.js';
import type {Admissions} from '../../store/tokens/admissions.js';

/** What of a call decides whether it is let in. */
export type Applicant = Pick<Call, 'workspace' | 'token' | 'quota' | 'deadline'>;

/**
 * The checks that otherwise ride in the commit, for a call that makes none or is about to be refused for a later reason: the token is live,
 * and its principal has quota left, from which the call is then taken. Does nothing when a commit has been through them already.
 * Errors: `invalid_token`, `rate_limited`, `store_lost`.
 */
export async function requireAdmission(admissions: Admissions, call: Applicant): Promise<void> {
  const {workspace, token, quota, deadline} = call;
  if (token === undefined || quota?.verdict?.granted === true) return;
  const {state, verdict} = await admissions.admit({
    workspace,
    token,
    deadline,
    ...(quota !== undefined && {quota}),
  });
  settleQuota(call, verdict);
  if (state === 'dead') throw tokenDead();
  if (state === 'lost') throw storeLost();
}

/** Looks at the token alone, each time: for streams, which are one request however long. Errors: `invalid_token`, `store_lost`. */
export function requireLiveToken(
  admissions: Admissions,
  {workspace, token, deadline}: Pick<Call, 'workspace' | 'token' | 'deadline'>,
): Promise<void> {
  return requireAdmission(admissions, {workspace, deadline, ...(token !== undefined && {token})});
}

/** Keeps what the store has made of a call's claim. Errors: `rate_limited`. */
export function settleQuota({quota}: Applicant, verdict: NonNullable<Call['quota']>['verdict']): void {
  if (quota === undefined || verdict === undefined) return;
  quota.verdict = verdict;
  if (!verdict.granted) throw overQuota(quota, verdict);
}

export function tokenDead(): AppError {
  return new AppError('invalid_token', 'The access token has been revoked or has expired: make a new one.');
}

export function storeLost(): AppError {
  return new AppError('store_lost', "This workspace's data is not in the store. Restore it, then try again.");
}
