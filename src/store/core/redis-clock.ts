import type {Clock} from '../../domain/core/dates.js';

/** A clock that estimates the time of Redis (ms) without asking. It is ahead at most by the drift. */
export interface RedisClock extends Clock {
  /** Corrects the estimate with a time in an answer of Redis that has just arrived. */
  observe: (redisMs: number) => void;
}

export interface RedisClockParts {
  /** Returns the monotonic time of this process in ms. */
  readonly monotonic: () => number;
  /** Returns the Unix time of this process in ms, with which the first reading is compared. */
  readonly wall: () => number;
}

const windowMs = 5_000;
/** The smallest clock jump that counts: far longer than any answer takes. Smaller ones are harmless. */
export const leapMs = 5 * 60_000;
/**
 * The time for which the server's clock must agree with ours after a jump. In the meantime somebody can
 * correct the server's clock. Schedules catch up on two hours.
 */
const calmMs = 10 * 60_000;

/**
 * Creates the clock: the monotonic clock of this process plus an offset. A slow answer makes the offset look
 * smaller, so the largest offset of the last 5–10 s is used. Older offsets are dropped, to follow the
 * server's drift. A jump is followed at once.
 */
export function createRedisClock({monotonic, wall}: RedisClockParts): RedisClock {
  let current = Number.NEGATIVE_INFINITY;
  let previous = Number.NEGATIVE_INFINITY;
  let windowStart = 0;
  let last = wall() - monotonic();
  let steadyFrom = Number.NEGATIVE_INFINITY;
  return {
    now: () => Math.floor(monotonic() + Math.max(current, previous)),
    isSteady: () => monotonic() >= steadyFrom,
    observe(redisMs) {
      const local = monotonic();
      const offset = redisMs - local;
      const leaps = Math.abs(offset - last) > leapMs;
      last = offset;
      if (leaps) steadyFrom = local + calmMs;
      if (leaps || local - windowStart > windowMs) {
        previous = leaps || local - windowStart > 2 * windowMs ? Number.NEGATIVE_INFINITY : current;
        current = Number.NEGATIVE_INFINITY;
        windowStart = local;
      }
      current = Math.max(current, offset);
    },
  };
}
