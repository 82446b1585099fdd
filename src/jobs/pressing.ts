import type {Result} from '../store/webhooks/claims.js';
import type {InFlight} from './in-flight.js';

/** Webhooks whose deliveries wait, not for their receivers but for this process. */
export interface Pressing {
  /** Takes in what a turn has recorded; `waits`: more would go out if there were room on the wire. */
  note: (inFlight: InFlight, results: readonly Result[], waits: boolean) => void;
  forget: (inFlight: InFlight) => void;
  /** How many deliveries of such webhooks are under way. */
  count: () => number;
}

/** Deliveries of a webhook over which their times are averaged. */
const remembered = 16;
/** So long (ms) counts what a turn has found of a webhook's pressing. */
const pressingMs = 200;

export function createPressing(): Pressing {
  /** Until when they count (monotonic ms). */
  const pressed = new Map<InFlight, number>();

  return {
    note(inFlight, results, waits) {
      // How long results took matters only where somebody waited for them.
      if (!waits) return void pressed.delete(inFlight);
      const now = performance.now();
      for (const {claim, attempt} of results) {
        const wireMs = attempt?.duration_ms ?? 0;
        const lease = inFlight.held.get(claim);
        const ownMs = now - (lease?.since ?? now) - (lease?.queuedMs ?? 0) - wireMs;
        inFlight.wireMs += (wireMs - inFlight.wireMs) / remembered;
        inFlight.ownMs += (ownMs - inFlight.ownMs) / remembered;
      }
      // Where the receiver takes most of the time, more of ours would change little.
      if (inFlight.ownMs > inFlight.wireMs) pressed.set(inFlight, now + pressingMs);
      else pressed.delete(inFlight);
    },
    forget: (inFlight) => void pressed.delete(inFlight),
    count() {
      const now = performance.now();
      let count = 0;
      for (const [inFlight, until] of pressed) {
        if (until < now) pressed.delete(inFlight);
        else count += inFlight.held.size;
      }
      return count;
    },
  };
}
