import {createCache} from '../../domain/core/cache.js';
import {type QuotaCost, takeFrom, type Tally, unused} from '../../domain/core/quota.js';

const remembered = 10_000;

/** The tolerance (ms) for a late estimate of Redis time: never refuse alone what the store would accept. */
const clockSlackMs = 250;

/**
 * The quotas of the most recent callers as this process knows them: the last counts from the store, and later
 * requests that the store could not count. `now`: the time of Redis in ms, as far as this process knows it.
 */
export function createLocalTallies(now: () => number) {
  const tallies = createCache<Tally>(remembered);
  return {
    /** Returns whether a request would be accepted at this moment, without counting it. */
    look: (holder: string, cost: QuotaCost) =>
      takeFrom(tallies.get(holder) ?? unused, cost, now() + clockSlackMs),
    keep: (holder: string, tally: Tally) => void tallies.set(holder, tally),
  };
}
