import type {Clock} from '../../domain/core/dates.js';

/** Redis time in ms, estimated without a round trip; never ahead of the server's own by more than its drift. */
export interface RedisClock extends Clock {
  /** Takes a reading that a reply has just brought. */
  observe: (redisMs: number) => void;
}

export interface RedisClockParts {
  /** Monotonic ms of this process. */
  readonly monotonic: () => number;
  /** Unix ms of this process: what the first reading is held against. */
  readonly wall: () => number;
}

const windowMs = 5_000;
/** Far more than a reply is ever under way, and nothing is missed or erased by less. */
const leapMs = 5 * 60_000;
/**
 * For so long the server's clock has to go with ours after a leap: time to set it right. Schedules make up
 * for two hours.
 */
const calmMs = 10 * 60_000;

/**
 * Redis time as the monotonic clock plus an offset. A reading that was long under way gives a smaller offset,
 * so the largest of the last 5–10 s counts; older ones are forgotten, so that the server's drift is followed.
 * A leap is followed at once.
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
