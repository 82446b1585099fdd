import type {Access, Principal} from '../../domain/core/access.js';
import type {AppError} from '../../domain/core/errors.js';
import {allowancesOf, overQuota, type QuotaClaim, type RateLimits} from '../../domain/core/quota.js';
import type {HeaderPairs} from '../http/header-pairs.js';
import {createLocalTallies, type LocalTally} from './local-tallies.js';

/** A request's claim, and what this process knows of its principal. */
export interface LocalClaim extends QuotaClaim {
  readonly known: LocalTally;
}

/**
 * The limits as one process sees them. The store decides whenever it can count. Its last answer for each
 * principal is remembered, and used while it cannot count: a client that hammers gets a rate limit error, not
 * only an unavailable store.
 */
export interface Limiter {
  open: (access: Pick<Access, 'workspace' | 'principal'>, isWrite: boolean) => LocalClaim;
  /** True when the quota seems used up, so that the store should be asked before any work for the request. */
  seemsUsedUp: (claim: LocalClaim) => boolean;
  /** The refusal of a request by our own count, shortly after the store could not count. */
  refuseAlone: (claim: LocalClaim) => AppError | undefined;
  /** Counts a request that the store could not count; the refusal when it is one too many. */
  countAlone: (claim: LocalClaim) => AppError | undefined;
  /** Keeps the store's verdict, and returns its headers for every authenticated answer. */
  recordVerdict: (claim: LocalClaim) => HeaderPairs;
}

const aloneForMs = 1_000;

/** `now`: Redis time in ms. */
export function createLimiter(limits: RateLimits, now: () => number): Limiter {
  const tallies = createLocalTallies(now);
  const present = createQuotaHeaders(limits);
  let aloneUntil = Number.NEGATIVE_INFINITY;
  /**
   * A caller's principal is the same object for a while: looking it up by name would take longer, for
   * hashing.
   */
  const recent = new WeakMap<Principal, LocalTally>();

  function localTallyOf({workspace, principal}: Pick<Access, 'workspace' | 'principal'>): LocalTally {
    let known = recent.get(principal);
    if (known === undefined) recent.set(principal, (known = tallies.of(`${workspace} ${principal.id}`)));
    return known;
  }

  function refusalIfOverLimit(claim: LocalClaim): AppError | undefined {
    const verdict = tallies.look(claim.known, claim);
    if (verdict.granted) return undefined;
    claim.verdict = verdict;
    return overQuota(claim, verdict);
  }

  return {
    open: (access, isWrite) => ({
      known: localTallyOf(access),
      principal: access.principal.id,
      limits,
      isWrite,
    }),
    seemsUsedUp: (claim) => !tallies.look(claim.known, claim).granted,
    refuseAlone: (claim) => (now() < aloneUntil ? refusalIfOverLimit(claim) : undefined),
    countAlone(claim) {
      aloneUntil = now() + aloneForMs;
      const refusal = refusalIfOverLimit(claim);
      if (refusal === undefined) claim.known.tally = tallies.look(claim.known, claim).tally;
      return refusal;
    },
    recordVerdict(claim) {
      if (claim.verdict !== undefined) claim.known.tally = claim.verdict.tally;
      return present(claim);
    },
  };
}

/**
 * Headers of draft-ietf-httpapi-ratelimit-headers-10: the quota left after this request (`r`), and the
 * seconds until there is more (`t`). None without a limit, or when nothing is known.
 */
function createQuotaHeaders(limits: RateLimits): (claim: QuotaClaim) => HeaderPairs {
  const policies = (['all', 'writes'] as const).filter((policy) => limits[policy] > 0);
  const policy = policies.map((name) => `"${name}";q=${limits[name]};w=60`).join(', ');
  return (claim) => {
    if (policies.length === 0 || claim.verdict === undefined) return [];
    let left = '';
    for (const {policy: name, remaining, moreIn} of allowancesOf(claim, claim.verdict))
      left += `${left === '' ? '' : ', '}"${name}";r=${remaining};t=${moreIn}`;
    return ['RateLimit-Policy', policy, 'RateLimit', left];
  };
}
