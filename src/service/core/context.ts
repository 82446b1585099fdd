import {type Authority, createAuthority} from './authority.js';
import type {ServiceEnvironment} from './environment.js';
import type {Kinds} from './kind-rules.js';
import {createMutate, type Mutate} from './mutation.js';
import {createCallerRightChecker, type RequireStillAllowed} from './still-allowed.js';

/** The dependencies of every use case. It contains no service of a feature. */
export interface ServiceContext extends ServiceEnvironment {
  readonly kinds: Kinds;
  readonly mutate: Mutate;
  readonly authority: Authority;
  readonly requireStillAllowed: RequireStillAllowed;
}

export function createServiceContext(environment: ServiceEnvironment, kinds: Kinds): ServiceContext {
  const authority = createAuthority(environment);
  const mutate = createMutate(environment);
  const requireStillAllowed = createCallerRightChecker(environment, authority);
  return {...environment, kinds, mutate, authority, requireStillAllowed};
}
