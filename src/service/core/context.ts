import type {Call} from '../../domain/core/access.js';
import {AppError} from '../../domain/core/errors.js';
import {type Authority, createAuthority, type CallerRole} from './authority.js';
import type {ServiceEnvironment} from './environment.js';
import {createReachedTeams, type ReachedTeams} from './reached-teams.js';
import type {Kinds} from './kind-rules.js';
import {createMutate, type Mutate} from './mutation.js';
import {requireLiveToken} from './admission.js';

/** The dependencies of every use case. It contains no service of a feature. */
export interface ServiceContext extends Omit<ServiceEnvironment, 'teams'> {
  readonly teams: ReachedTeams;
  readonly kinds: Kinds;
  readonly mutate: Mutate;
  readonly authority: Authority;
  readonly requireStillAllowed: ReturnType<typeof createCallerRightChecker>;
}

export function createServiceContext(environment: ServiceEnvironment, kinds: Kinds): ServiceContext {
  const authority = createAuthority(environment);
  const requireStillAllowed = createCallerRightChecker(environment, authority);
  const teams = createReachedTeams(environment);
  const mutate = createMutate(environment, teams);
  return {...environment, teams, kinds, mutate, authority, requireStillAllowed};
}

/**
 * Checks the caller of an answer that takes longer than a request, such as a stream. The token must be live
 * and not expired, and its holder must still exist. The expiry is checked here, since the store does not hold
 * tokens of other issuers. Returns the holder's current role. Errors: `invalid_token`, `store_lost`.
 */
function createCallerRightChecker({admissions, clock}: ServiceEnvironment, authority: Authority) {
  return async function requireStillAllowed(call: Call): Promise<CallerRole> {
    if (call.token !== undefined && call.token.expiresAt <= clock.now())
      throw new AppError('invalid_token', 'The access token has expired.');
    const [role] = await Promise.all([authority.findRole(call), requireLiveToken(admissions, call)]);
    return role;
  };
}
