const firstPauseMs = 250;
const longestPauseMs = 4_000;
/** After so long without being asked for, the next one begins at once again. */
const forgottenAfterMs = 30_000;

/** Replaces something when it is asked for: one at a time, and ever more seldom while that does not help. */
export interface Renewal {
  (): void;
  /** From now on nothing is replaced; waits for what is being replaced. */
  close: () => Promise<void>;
}

/** `replace` may fail: then what there is stays. */
export function createRenewal(replace: () => Promise<void>): Renewal {
  let closed = false;
  let underWay: Promise<void> | undefined;
  let pauseMs = firstPauseMs;
  let endedAt = Number.NEGATIVE_INFINITY;

  function renew(): void {
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

  return Object.assign(renew, {
    async close() {
      closed = true;
      await underWay;
    },
  });
}
