import {AppError} from '../../domain/core/errors.js';
import {type QuotaCost, type QuotaVerdict, computeRetryAfter} from '../../domain/core/quota.js';
import {findNetworkOfAddress} from '../http/client-address.js';
import {createLocalTallies} from './local-tallies.js';

/** Counts a failed authentication from an address. Returns the refusal once it had too many. */
export type CountFailure = (address: string | undefined, deadline: number) => Promise<AppError | undefined>;

export interface FailureLimit {
  /** The limit per address and period; 0 for none. */
  readonly limit: number;
  /** The period in µs; a minute by default. */
  readonly period?: number;
  /** The part of an address that is counted; its network by default. */
  readonly networkOf?: (address: string | undefined) => string;
  /** Hashes an address with a secret key, so that no one can find it by hashing all addresses. */
  readonly hash: (network: string) => string;
  readonly count: (hash: string, cost: QuotaCost, deadline: number) => Promise<QuotaVerdict | undefined>;
  /** The time of Redis in ms. */
  readonly now: () => number;
}

/**
 * Limits failed authentications from an address, counted over all processes. Valid tokens work from any
 * address and need no look-up here. While the store is unavailable, full or read-only, each process counts
 * alone.
 */
export function createFailureCounter(options: FailureLimit): CountFailure {
  const {limit, period, networkOf = findNetworkOfAddress, hash, count, now} = options;
  const cost: QuotaCost = {
    limits: {all: limit, writes: 0},
    isWrite: false,
    ...(period !== undefined && {period}),
  };
  const tallies = createLocalTallies(now);

  return async function countFailure(address, deadline) {
    if (limit === 0) return undefined;
    const network = networkOf(address);
    const own = tallies.look(network, cost);
    if (!own.granted) return createTooManyFailuresError(cost, own);
    tallies.keep(network, own.tally);
    const shared = await count(hash(network), cost, deadline).catch((error: unknown) => {
      if (error instanceof AppError) return undefined;
      throw error;
    });
    if (shared === undefined) return undefined;
    tallies.keep(network, shared.tally);
    return shared.granted ? undefined : createTooManyFailuresError(cost, shared);
  };
}

function createTooManyFailuresError(cost: QuotaCost, verdict: QuotaVerdict): AppError {
  const seconds = computeRetryAfter(cost, verdict);
  return new AppError(
    'rate_limited',
    `Too many failed authentications come from your address. Repeat with a valid token, or after ${seconds} s.`,
    {retryAfter: seconds},
  );
}
