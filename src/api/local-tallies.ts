import {LRUCache} from 'lru-cache';
import {type QuotaCost, type QuotaVerdict, takeFrom, type Tally, unused} from '../domain/quota.js';

/** Quotas as this process knows them: what the store said last, and what was taken since then without it. */
export interface LocalTallies {
  /** What would become of a request now. Changes nothing. */
  look(holder: string, cost: QuotaCost): QuotaVerdict;
  keep(holder: string, tally: Tally): void;
}

const remembered = 10_000;

/** Our estimate of Redis time may lag behind, and a process must never refuse alone what the store would grant. */
const clockSlackMs = 250;

/** `now`: Redis time in ms, as far as it is known here. Bounded: of many holders those seen last are remembered. */
export function createLocalTallies(now: () => number): LocalTallies {
  const tallies = new LRUCache<string, Tally>({max: remembered});
  return {
    look: (holder, cost) => takeFrom(tallies.get(holder) ?? unused, cost, now() + clockSlackMs),
    keep: (holder, tally) => void tallies.set(holder, tally),
  };
}
