import {createCache} from '../../domain/core/cache.js';
import {type QuotaCost, type QuotaVerdict, takeFrom, type Tally, unused} from '../../domain/core/quota.js';

/**
 * The state of one holder in this process: the store's last answer, and the requests counted without it
 * since.
 */
export interface LocalTally {
  tally: Tally;
}

/** Quotas as this process knows them. */
export interface LocalTallies {
  of: (holder: string) => LocalTally;
  /** The verdict on a request now. Changes nothing. */
  look: (known: LocalTally, cost: QuotaCost) => QuotaVerdict;
}

const remembered = 10_000;

/**
 * Our estimate of Redis time may lag behind, and a process alone must never refuse a request that the store
 * would grant.
 */
const clockSlackMs = 250;

/** `now`: Redis time in ms, as far as it is known here. Bounded: the holders seen last are remembered. */
export function createLocalTallies(now: () => number): LocalTallies {
  const tallies = createCache<LocalTally>(remembered);
  return {
    of(holder) {
      let known = tallies.get(holder);
      if (known === undefined) tallies.set(holder, (known = {tally: unused}));
      return known;
    },
    look: ({tally}, cost) => takeFrom(tally, cost, now() + clockSlackMs),
  };
}
