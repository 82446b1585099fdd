import type {Access} from '../domain/access.js';
import type {AppError} from '../domain/errors.js';
import {allowancesOf, overQuota, type QuotaClaim, type QuotaCost, type RateLimits} from '../domain/quota.js';
import {createLocalTallies} from './local-tallies.js';

/** A request's claim, and whose it is in the memory of this process. */
export interface LocalClaim extends QuotaClaim {
  readonly holder: string;
}

/**
 * The limits as one process sees them. The store decides whenever it can count. Its last word on each
 * principal is remembered, and counted on while it cannot: a client that hammers is told so, and not only
 * that the store is away.
 */
export interface Limiter {
  open(access: Pick<Access, 'workspace' | 'principal'>, cost: Pick<QuotaCost, 'isWrite'>): LocalClaim;
  /**
   * Whether the quota seems used up, so that the store should be asked before anything is done for the
   * request.
   */
  seemsUsedUp(claim: LocalClaim): boolean;
  /** The refusal of a request by our own count, for a moment after the store could not count. */
  refuseAlone(claim: LocalClaim): AppError | undefined;
  /** Counts a request that the store could not count; the refusal when it is one too many. */
  countAlone(claim: LocalClaim): AppError | undefined;
  /** Keeps what the store has said. */
  remember(claim: LocalClaim): void;
}

const aloneForMs = 1_000;

/** `now`: Redis time in ms. */
export function createLimiter(limits: RateLimits, now: () => number): Limiter {
  const tallies = createLocalTallies(now);
  let aloneUntil = Number.NEGATIVE_INFINITY;

  function refuse(claim: LocalClaim): AppError | undefined {
    const verdict = tallies.look(claim.holder, claim);
    if (verdict.granted) return undefined;
    claim.verdict = verdict;
    return overQuota(claim, verdict);
  }

  return {
    open({workspace, principal}, {isWrite}) {
      const holder = `${workspace} ${principal.id}`;
      return {holder, principal: principal.id, limits, isWrite};
    },
    seemsUsedUp: (claim) => !tallies.look(claim.holder, claim).granted,
    refuseAlone: (claim) => (now() < aloneUntil ? refuse(claim) : undefined),
    countAlone(claim) {
      aloneUntil = now() + aloneForMs;
      const refusal = refuse(claim);
      if (refusal === undefined) tallies.keep(claim.holder, tallies.look(claim.holder, claim).tally);
      return refusal;
    },
    remember({holder, verdict}) {
      if (verdict !== undefined) tallies.keep(holder, verdict.tally);
    },
  };
}

/**
 * What every authenticated answer says of the quota, in the structured form of
 * draft-ietf-httpapi-ratelimit-headers-10: how much is left after this request (`r`), and in how many
 * seconds there is more (`t`). Empty where there is no limit, or nothing is known.
 */
export function presentQuota(claim: QuotaClaim): Record<string, string> {
  const {limits, verdict} = claim;
  const allowances = verdict === undefined ? [] : allowancesOf(claim, verdict);
  if (allowances.length === 0) return {};
  return {
    'RateLimit-Policy': allowances.map(({policy}) => `"${policy}";q=${limits[policy]};w=60`).join(', '),
    RateLimit: allowances
      .map(({policy, remaining, moreIn}) => `"${policy}";r=${remaining};t=${moreIn}`)
      .join(', '),
  };
}
