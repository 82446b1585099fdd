const firstPauseMs = 250;
/**
 * The longest pause between two replacements of the resource. A failover takes seconds, and a new connection
 * each second costs a read-only server almost nothing.
 */
const longestPauseMs = 1_000;
/** After this time without a request for a replacement, the next one is immediate again. */
const forgottenAfterMs = 30_000;

/** Replaces a resource on request: one replacement at a time, and less often while that does not help. */
export interface Renewal {
  (): void;
  /** Allows no more replacements, and waits for the current one. */
  close: () => Promise<void>;
}

/** Creates the replacer of a resource. If `replace` fails, the current resource stays in use. */
export function createRenewalWithBackoff(replace: () => Promise<void>): Renewal {
  let closed = false;
  let underWay: Promise<void> | undefined;
  let pauseMs = firstPauseMs;
  let endedAt = Number.NEGATIVE_INFINITY;

  function renewUnlessPaused(): void {
    const sinceMs = performance.now() - endedAt;
    if (closed || underWay !== undefined || sinceMs < pauseMs) return;
    pauseMs = sinceMs > forgottenAfterMs ? firstPauseMs : Math.min(2 * pauseMs, longestPauseMs);
    underWay = replace()
      .catch(() => undefined)
      .finally(() => {
        underWay = undefined;
        endedAt = performance.now();
      });
  }

  return Object.assign(renewUnlessPaused, {
    async close() {
      closed = true;
      await underWay;
    },
  });
}
