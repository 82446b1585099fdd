import type {Blocker} from './blocker.js';

/** The time (ms) after its last change at which the author of an open blocker is asked whether it still blocks. */
const firstMs = 48 * 3_600_000;
/** The time (ms) after which they are asked again. */
const againMs = 5 * 24 * 3_600_000;

/**
 * Returns the latest instant (ms), up to `now`, from which the author's next reminder asks whether a blocker
 * still blocks them. Undefined if it is resolved, or has just changed.
 */
export function findTimeToAsk(
  {state, updated_at: changed}: Pick<Blocker, 'state' | 'updated_at'>,
  now: number,
): number | undefined {
  const first = Date.parse(changed) + firstMs;
  if (state === 'resolved' || now < first) return undefined;
  return first + Math.floor((now - first) / againMs) * againMs;
}
