import {LRUCache} from 'lru-cache';
import {type QuotaCost, type QuotaVerdict, takeFrom, type Tally, unused} from '../../domain/core/quota.js';

/** What this process knows of one holder: what the store said last, and what was taken since then without it. */
export interface LocalTally {
  tally: Tally;
}

/** Quotas as this process knows them. */
export interface LocalTallies {
  of: (holder: string) => LocalTally;
  /** What would become of a request now. Changes nothing. */
  look: (known: LocalTally, cost: QuotaCost) => QuotaVerdict;
}

const remembered = 10_000;

/** Our estimate of Redis time may lag behind, and a process must never refuse alone what the store would grant. */
const clockSlackMs = 250;

/** `now`: Redis time in ms, as far as it is known here. Bounded: of many holders those seen last are remembered. */
export function createLocalTallies(now: () => number): LocalTallies {
  const tallies = new LRUCache<string, LocalTally>({max: remembered});
  return {
    of(holder) {
      let known = tallies.get(holder);
      if (known === undefined) tallies.set(holder, (known = {tally: unused}));
      return known;
    },
    look: ({tally}, cost) => takeFrom(tally, cost, now() + clockSlackMs),
  };
}
