import type {Access} from '../../domain/core/access.js';
import type {AppError} from '../../domain/core/errors.js';
import {
  listAllowances,
  createOverQuotaError,
  type QuotaClaim,
  type RateLimits,
} from '../../domain/core/quota.js';
import type {HeaderPairs} from '../http/header-pairs.js';
import {createLocalTallies} from './local-tallies.js';

/** A request that is to be counted against the quota of its caller, with the name of that quota. */
export interface LocalClaim extends QuotaClaim {
  readonly holder: string;
}

/**
 * The rate limits, as one process applies them. The store decides whenever it can count requests. While it
 * cannot, the process uses the last counts that it got from the store, so that a client with too many
 * requests is still refused.
 */
export type Limiter = ReturnType<typeof createLimiter>;

const aloneForMs = 1_000;

/** `now`: the time of Redis in ms. */
export function createLimiter(limits: RateLimits, now: () => number) {
  const tallies = createLocalTallies(now);
  const present = createQuotaHeaders(limits);
  let aloneUntil = Number.NEGATIVE_INFINITY;

  function findRefusalIfOverLimit(claim: LocalClaim): AppError | undefined {
    const verdict = tallies.look(claim.holder, claim);
    if (verdict.granted) return undefined;
    claim.verdict = verdict;
    return createOverQuotaError(claim, verdict);
  }

  return {
    open: ({workspace, principal: {id}}: Access, isWrite: boolean): LocalClaim => ({
      holder: `${workspace} ${id}`,
      principal: id,
      limits,
      isWrite,
    }),
    /** True when the quota seems used up. The store should then be asked before any work for the request. */
    seemsUsedUp: (claim: LocalClaim): boolean => !tallies.look(claim.holder, claim).granted,
    /** Returns the refusal by this process's own count, shortly after the store could not count. */
    refuseAlone: (claim: LocalClaim): AppError | undefined =>
      now() < aloneUntil ? findRefusalIfOverLimit(claim) : undefined,
    /** Counts a request that the store could not count. Returns the refusal of one above the limit. */
    countAlone(claim: LocalClaim): AppError | undefined {
      aloneUntil = now() + aloneForMs;
      const refusal = findRefusalIfOverLimit(claim);
      if (refusal === undefined) tallies.keep(claim.holder, tallies.look(claim.holder, claim).tally);
      return refusal;
    },
    /** Remembers the store's decision about the quota, and returns the rate limit headers for the answer. */
    recordVerdict(claim: LocalClaim): HeaderPairs {
      if (claim.verdict !== undefined) tallies.keep(claim.holder, claim.verdict.tally);
      return present(claim);
    },
  };
}

/**
 * Creates the headers of draft-ietf-httpapi-ratelimit-headers-10: the requests left (`r`), and the seconds
 * until there are more (`t`). There are no headers without a limit, or when the quota is unknown.
 */
function createQuotaHeaders(limits: RateLimits): (claim: QuotaClaim) => HeaderPairs {
  const policies = (['all', 'writes'] as const).filter((policy) => limits[policy] > 0);
  const policy = policies.map((name) => `"${name}";q=${limits[name]};w=60`).join(', ');
  return (claim) => {
    if (policies.length === 0 || claim.verdict === undefined) return [];
    let left = '';
    for (const {policy: name, remaining, moreIn} of listAllowances(claim, claim.verdict))
      left += `${left === '' ? '' : ', '}"${name}";r=${remaining};t=${moreIn}`;
    return ['RateLimit-Policy', policy, 'RateLimit', left];
  };
}
