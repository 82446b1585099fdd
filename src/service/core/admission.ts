import type {Call} from '../../domain/core/access.js';
import {AppError} from '../../domain/core/errors.js';
import {createOverQuotaError} from '../../domain/core/quota.js';
import type {Admissions} from '../../store/tokens/admissions.js';

/** The fields of a call that decide whether it is admitted. */
export type Applicant = Pick<Call, 'workspace' | 'token' | 'quota' | 'deadline'>;

/**
 * Checks a call's token and takes one call from its principal's quota. Used for a call that makes no commit
 * or will be refused anyway. If a commit has done both already, this does nothing. Errors: `invalid_token`,
 * `rate_limited`, `store_lost`.
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
  applyQuotaVerdict(call, verdict);
  if (state === 'dead') throw createTokenRevokedError();
  if (state === 'lost') throw createStoreUnavailableError();
}

/**
 * Checks a call's token each time, without the quota. For streams, which are one long request. Errors:
 * `invalid_token`, `store_lost`.
 */
export function requireLiveToken(
  admissions: Admissions,
  {workspace, token, deadline}: Omit<Applicant, 'quota'>,
): Promise<void> {
  return requireAdmission(admissions, {workspace, deadline, ...(token !== undefined && {token})});
}

/** Applies the store's decision about the quota of a call. Errors: `rate_limited`. */
export function applyQuotaVerdict({quota}: Applicant, verdict: NonNullable<Call['quota']>['verdict']): void {
  if (quota === undefined || verdict === undefined) return;
  quota.verdict = verdict;
  if (!verdict.granted) throw createOverQuotaError(quota, verdict);
}

export function createTokenRevokedError(): AppError {
  return new AppError('invalid_token', 'The access token has been revoked or has expired: make a new one.');
}

export function createStoreUnavailableError(): AppError {
  return new AppError('store_lost', "This workspace's data is not in the store. Restore it, then try again.");
}

export function createReadOnlyError(): AppError {
  return new AppError(
    'workspace_read_only',
    'This workspace is read-only while your operator moves it: nothing was changed. Reading still works. Repeat later with the same Idempotency-Key.',
  );
}
