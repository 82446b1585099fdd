import type {Result} from '../store/webhooks/claims.js';
import type {InFlight} from './in-flight.js';

/** Tracks webhooks whose deliveries wait for this process and not for their receivers. */
export interface Pressing {
  /** Records the results of a slice; `waits`: more would go out if more requests were allowed. */
  note: (inFlight: InFlight, results: readonly Result[], waits: boolean) => void;
  forget: (inFlight: InFlight) => void;
  /** The number of deliveries of such webhooks in progress. */
  count: () => number;
}

/** The number of deliveries of a webhook over which their times are averaged. */
const averagedOver = 16;
/** How long (ms) a slice's finding about a webhook is valid. */
const pressingMs = 200;

export function createPressingWebhooks(): Pressing {
  /** The time until which they count (monotonic ms). */
  const pressingUntil = new Map<InFlight, number>();

  return {
    note(inFlight, results, waits) {
      // The time of results matters only when other deliveries waited for them.
      if (!waits) return void pressingUntil.delete(inFlight);
      const now = performance.now();
      for (const {claim, attempt} of results) {
        const wireMs = attempt?.duration_ms ?? 0;
        const lease = inFlight.held.get(claim);
        const ownMs = now - (lease?.since ?? now) - (lease?.queuedMs ?? 0) - wireMs;
        inFlight.wireMs += (wireMs - inFlight.wireMs) / averagedOver;
        inFlight.ownMs += (ownMs - inFlight.ownMs) / averagedOver;
      }
      // If the receiver takes most of the time, more of ours would change little.
      if (inFlight.ownMs > inFlight.wireMs) pressingUntil.set(inFlight, now + pressingMs);
      else pressingUntil.delete(inFlight);
    },
    forget: (inFlight) => void pressingUntil.delete(inFlight),
    count() {
      const now = performance.now();
      let count = 0;
      for (const [inFlight, until] of pressingUntil) {
        if (until < now) pressingUntil.delete(inFlight);
        else count += inFlight.held.size;
      }
      return count;
    },
  };
}
