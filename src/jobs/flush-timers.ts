import type {Id} from '../domain/core/ids.js';
import {computeFlushDelay, hasSlowResult, type InFlight} from './in-flight.js';

/**
 * The number of other webhooks whose results one script records. It also claims what is due for each, and while it
 * runs, the store does nothing else.
 */
const othersAtOnce = 24;

/** The timers of webhooks whose results wait a little to be recorded together with others. */
export type FlushTimers = ReturnType<typeof createFlushTimers>;

/** `onDue` is called when the results of a webhook have waited long enough. */
export function createFlushTimers(onDue: (inFlight: InFlight) => void) {
  const waiting = new Map<Id<'workspace'>, Set<InFlight>>();

  function end(inFlight: InFlight): void {
    clearTimeout(inFlight.flushTimer);
    inFlight.flushTimer = undefined;
    const some = waiting.get(inFlight.workspace);
    some?.delete(inFlight);
    if (some?.size === 0) waiting.delete(inFlight.workspace);
  }

  function ring(inFlight: InFlight): void {
    end(inFlight);
    onDue(inFlight);
  }

  return {
    start(inFlight: InFlight): void {
      if (inFlight.flushTimer !== undefined) return;
      inFlight.flushTimer = setTimeout(ring, computeFlushDelay(inFlight), inFlight);
      const some = waiting.get(inFlight.workspace);
      if (some === undefined) waiting.set(inFlight.workspace, new Set([inFlight]));
      else some.add(inFlight);
    },
    end,
    /** Returns other webhooks of the workspace that wait, with at most `most` results together. */
    listOthers(inFlight: InFlight, most: number): InFlight[] {
      const others: InFlight[] = [];
      let left = most;
      for (const other of waiting.get(inFlight.workspace) ?? []) {
        if (other === inFlight || other.slices > 0 || hasSlowResult(other)) continue;
        left -= other.results.length;
        if (left < 0 || others.length === othersAtOnce) break;
        others.push(other);
      }
      return others;
    },
  };
}
