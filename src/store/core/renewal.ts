const firstPauseMs = 250;
/** A failover takes seconds; a connection each second costs a read-only server next to nothing. */
const longestPauseMs = 1_000;
/** After this long without a request, the next one starts at once again. */
const forgottenAfterMs = 30_000;

/** Replaces a resource on request: one at a time, and ever less often while that does not help. */
export interface Renewal {
  (): void;
  /** Stops further replacements, and waits for the one in progress. */
  close: () => Promise<void>;
}

/** `replace` may fail: then the current one stays. */
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
