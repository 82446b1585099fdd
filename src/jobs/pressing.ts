import type {Result} from '../store/webhooks/claims.js';
import type {InFlight} from './in-flight.js';

/** The number of recent deliveries of a webhook over which their times are averaged. */
const averagedOver = 16;
/** The time (ms) for which a webhook counts as waiting for this process after a measurement. */
const pressingMs = 200;

/** Tracks webhooks whose deliveries wait for this process, and not for their receivers. */
export function createPressingWebhooks() {
  /** The time until which each webhook counts as waiting for this process (monotonic ms). */
  const pressingUntil = new Map<InFlight, number>();

  return {
    /**
     * Records how long the attempts of these results took. `waits`: true if the webhook has more due
     * deliveries than requests that it may have open at a time.
     */
    note(inFlight: InFlight, results: readonly Result[], waits: boolean): void {
      // The times that deliveries took only matter if other deliveries had to wait.
      if (!waits) return void pressingUntil.delete(inFlight);
      const now = performance.now();
      for (const {claim, attempt} of results) {
        const wireMs = attempt?.duration_ms ?? 0;
        const lease = inFlight.held.get(claim);
        const ownMs = now - (lease?.since ?? now) - (lease?.queuedMs ?? 0) - wireMs;
        inFlight.wireMs += (wireMs - inFlight.wireMs) / averagedOver;
        inFlight.ownMs += (ownMs - inFlight.ownMs) / averagedOver;
      }
      // A webhook counts only if this process takes longer for a delivery than the receiver does. Otherwise
      // more capacity for requests would change little.
      if (inFlight.ownMs > inFlight.wireMs) pressingUntil.set(inFlight, now + pressingMs);
      else pressingUntil.delete(inFlight);
    },
    forget: (inFlight: InFlight): void => void pressingUntil.delete(inFlight),
    /** Returns the number of deliveries in progress for these webhooks. */
    count(): number {
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
