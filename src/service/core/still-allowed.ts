import type {Call} from '../../domain/core/access.js';
import {AppError} from '../../domain/core/errors.js';
import type {Authority, CallerRole} from './authority.js';
import {requireLiveToken} from './admission.js';
import type {ServiceEnvironment} from './environment.js';

/**
 * Checks the caller of an answer that takes longer than a request, such as a stream. The token must be live
 * and not expired, and its holder must still exist. The expiry is checked here, since the store does not hold
 * tokens of other issuers. Returns the holder's current role. Errors: `invalid_token`, `store_lost`.
 */
export type RequireStillAllowed = (call: Call) => Promise<CallerRole>;

export function createCallerRightChecker(
  {admissions, clock}: ServiceEnvironment,
  authority: Authority,
): RequireStillAllowed {
  return async function requireStillAllowed(call) {
    if (call.token !== undefined && call.token.expiresAt <= clock.now())
      throw new AppError('invalid_token', 'The access token has expired.');
    const [role] = await Promise.all([authority.findRole(call), requireLiveToken(admissions, call)]);
    return role;
  };
}
