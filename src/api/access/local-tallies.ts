import {createCache} from '../../domain/core/cache.js';
import {type QuotaCost, type QuotaVerdict, takeFrom, type Tally, unused} from '../../domain/core/quota.js';

/**
 * The quota of one caller as this process knows it: the last count from the store, and later requests that
 * the store could not count.
 */
export interface LocalTally {
  tally: Tally;
}

/** The quotas of callers, as this process knows them. */
export interface LocalTallies {
  of: (holder: string) => LocalTally;
  /** Returns whether a request would be accepted at this moment, without counting it. */
  look: (known: LocalTally, cost: QuotaCost) => QuotaVerdict;
}

const remembered = 10_000;

/**
 * The tolerance (ms) for our estimate of Redis time, which may be late. A process that counts alone must not
 * refuse a request that the store would accept.
 */
const clockSlackMs = 250;

/**
 * Creates the record of the quotas of the most recent callers. `now`: the time of Redis in ms, as far as this
 * process knows it.
 */
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
