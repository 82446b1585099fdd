/** Redis time in ms, estimated without a round trip; never ahead of the server's own by more than its drift. */
export interface RedisClock {
  now(): number;
  /** Takes a reading that a reply has just brought. */
  observe(redisMs: number): void;
}

const windowMs = 5_000;

/**
 * Redis time as the monotonic clock plus an offset. A reading that was long under way gives a smaller offset, so the largest of the
 * last 5–10 s counts; older ones are forgotten, so that a jump of the server's clock is followed.
 */
export function createRedisClock(monotonic: () => number): RedisClock {
  let current = Number.NEGATIVE_INFINITY;
  let previous = Number.NEGATIVE_INFINITY;
  let windowStart = 0;
  return {
    now: () => Math.floor(monotonic() + Math.max(current, previous)),
    observe(redisMs) {
      const local = monotonic();
      if (local - windowStart > windowMs) {
        previous = local - windowStart > 2 * windowMs ? Number.NEGATIVE_INFINITY : current;
        current = Number.NEGATIVE_INFINITY;
        windowStart = local;
      }
      current = Math.max(current, redisMs - local);
    },
  };
}
