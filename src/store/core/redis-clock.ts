import type {Clock} from '../../domain/core/dates.js';

/** Redis time in ms, estimated without a round trip; ahead of the server's clock by at most its drift. */
export interface RedisClock extends Clock {
  /** Adds a reading from a reply that has just arrived. */
  observe: (redisMs: number) => void;
}

export interface RedisClockParts {
  /** Monotonic ms of this process. */
  readonly monotonic: () => number;
  /** Unix ms of this process, against which the first reading is checked. */
  readonly wall: () => number;
}

const windowMs = 5_000;
/** Far longer than any reply takes; a smaller jump makes no schedule miss a step and erases no data. */
const leapMs = 5 * 60_000;
/**
 * How long the server's clock has to agree with ours after a jump: time to correct it. Schedules catch up on
 * two hours.
 */
const calmMs = 10 * 60_000;

/**
 * Redis time as the monotonic clock plus an offset. A reading from a slow reply gives a smaller offset, so
 * the largest of the last 5–10 s counts; older ones are dropped, so that the server's drift is followed. A
 * jump is followed at once.
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
