import {AppError} from '../../domain/core/errors.js';
import {type QuotaCost, type QuotaVerdict, retryAfter} from '../../domain/core/quota.js';
import {networkOf} from '../http/client-address.js';
import {createLocalTallies} from './local-tallies.js';

/** Counts a failed authentication from an address; returns the refusal once there were too many. */
export type CountFailure = (address: string | undefined, deadline: number) => Promise<AppError | undefined>;

export interface FailureParts {
  /** Per minute and address; 0: no limit. */
  readonly limit: number;
  /** Uses a key of the installation, so that the addresses cannot be found by trying all of them. */
  readonly hash: (network: string) => string;
  readonly count: (hash: string, cost: QuotaCost, deadline: number) => Promise<QuotaVerdict | undefined>;
  /** Redis time in ms. */
  readonly now: () => number;
}

/**
 * The limit on failed authentications, over all processes. It costs valid tokens nothing: they are never
 * looked up here, and work from any address. While the store is away, full or read-only, this process counts
 * alone.
 */
export function createFailureCount({limit, hash, count, now}: FailureParts): CountFailure {
  const cost: QuotaCost = {limits: {all: limit, writes: 0}, isWrite: false};
  const tallies = createLocalTallies(now);

  return async function countFailure(address, deadline) {
    if (limit === 0) return undefined;
    const network = networkOf(address);
    const known = tallies.of(network);
    const own = tallies.look(known, cost);
    if (!own.granted) return tooManyFailuresError(cost, own);
    known.tally = own.tally;
    const shared = await count(hash(network), cost, deadline).catch((error: unknown) => {
      if (error instanceof AppError) return undefined;
      throw error;
    });
    if (shared === undefined) return undefined;
    known.tally = shared.tally;
    return shared.granted ? undefined : tooManyFailuresError(cost, shared);
  };
}

function tooManyFailuresError(cost: QuotaCost, verdict: QuotaVerdict): AppError {
  const seconds = retryAfter(cost, verdict);
  return new AppError(
    'rate_limited',
    `Too many failed authentications come from your address. Repeat with a valid token, or after ${seconds} s.`,
    {retryAfter: seconds},
  );
}
