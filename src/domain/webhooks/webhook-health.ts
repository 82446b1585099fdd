import type {AttemptError} from './attempt.js';
import {toInstant} from '../core/dates.js';
import type {Id} from '../core/ids.js';

/**
 * The duration (ms) from which on an attempt is slow, and so is its webhook. Work for slow webhooks has low
 * priority.
 */
export const slowMs = 5_000;

/**
 * The states of a circuit breaker. `closed`: all is well. `open`: only a test is sent now and then.
 * `recovering`: a few deliveries at a time after a successful test.
 */
export const breakerStates = ['closed', 'open', 'recovering'] as const;

export type BreakerState = (typeof breakerStates)[number];

/** The health of a webhook. Instants are ISO 8601 in UTC, durations in ms. */
export interface WebhookHealth {
  readonly object: 'webhook_health';
  readonly webhook_id: Id<'webhook'>;
  /** False for a disabled webhook, to which nothing is sent. Its deliveries are held. */
  readonly enabled: boolean;
  /** The attempts of the current hour and the 24 hours before. Failures that we caused are not counted. */
  readonly attempts: {
    readonly succeeded: number;
    readonly failed: number;
    /** The share of successful attempts, 0 to 1; null without attempts. */
    readonly success_rate: number | null;
    readonly p50_ms: number | null;
    readonly p95_ms: number | null;
  };
  /** The attempts by hours of UTC, the oldest first: 25 hours, the current one last. */
  readonly hours: readonly HealthHour[];
  /**
   * The last counted attempt. Null if there was none since the webhook was created, enabled or given another
   * URL.
   */
  readonly last_attempt: LastAttempt | null;
  readonly backlog: {
    /** Deliveries that wait for any reason, including those of replays. */
    readonly pending: number;
    readonly in_flight: number;
    /** The age of the oldest waiting event, without replays; null when there is none. */
    readonly oldest_age_ms: number | null;
    /**
     * The number of events that are still to be examined for the webhook, because too many deliveries wait. 0
     * when it has not fallen behind.
     */
    readonly behind: number;
    /** The time at which the next attempt is due; null when none waits or the webhook is disabled. */
    readonly next_attempt_at: string | null;
  };
  readonly breaker: {
    readonly state: BreakerState;
    readonly opened_at: string | null;
    readonly next_probe_at: string | null;
  };
  /**
   * The first failure of the current series of failures; null if the last attempt succeeded. The webhook is
   * disabled 5 days later, if there were enough attempts.
   */
  readonly failing_since: string | null;
  /** The number of failed attempts since the last success. */
  readonly consecutive_failures: number;
  /** The number of last attempts in a row with the same error and status. */
  readonly same_failures: number;
  /** The number of events that were deleted before there was space for their deliveries, and since when. */
  readonly missed: {readonly events: number; readonly since: string | null};
}

export interface HealthHour {
  /** The beginning of the hour. */
  readonly at: string;
  readonly succeeded: number;
  readonly failed: number;
  /** The number of failed attempts, by error. */
  readonly errors: Readonly<Partial<Record<AttemptError, number>>>;
  readonly p50_ms: number | null;
  readonly p95_ms: number | null;
}

export interface LastAttempt {
  /** The time at which the end of the attempt was recorded. */
  readonly at: string;
  /** The error; null for a success. */
  readonly error: AttemptError | null;
  /** The status; null without an answer. */
  readonly status: number | null;
}

/** The counts of one hour, as they are stored. */
export interface HourFigures {
  readonly succeeded: number;
  readonly failed: number;
  readonly errors: HealthHour['errors'];
  /** The number of attempts in each `findDurationBucket`. */
  readonly durations: ReadonlyMap<number, number>;
}

/** The figures of a webhook in the store at one instant. Times are in ms. */
export interface WebhookFigures {
  readonly now: number;
  readonly enabled: boolean;
  readonly pending: number;
  readonly inFlight: number;
  readonly behind: number;
  /** The time of the oldest event whose delivery is unfinished. */
  readonly oldestAt: number | undefined;
  /** The earliest due time of the waiting deliveries. */
  readonly dueAt: number | undefined;
  readonly breaker: BreakerState;
  readonly openedAt: number | undefined;
  readonly probeAt: number | undefined;
  readonly failingAt: number | undefined;
  readonly failures: number;
  readonly sameFailures: number;
  readonly last: LastAttempt | undefined;
  readonly missed: number;
  readonly missedAt: number | undefined;
  /** The counts of each hour, by hours since the epoch. */
  readonly hours: ReadonlyMap<number, HourFigures>;
}

const hourMs = 3_600_000;
/** The number of hours: the current one and the 24 before it, so that a whole day is always included. */
export const healthHours = 25;

export function presentHealth(id: Id<'webhook'>, figures: WebhookFigures): WebhookHealth {
  const {now, enabled, pending, inFlight, oldestAt, breaker} = figures;
  const present = Math.floor(now / hourMs);
  const hours = Array.from({length: healthHours}, (_, i) => present - healthHours + 1 + i);
  const counted = hours.map((hour) => figures.hours.get(hour) ?? nothing);
  const succeeded = sumCounts(counted.map((hour) => hour.succeeded));
  const failed = sumCounts(counted.map((hour) => hour.failed));
  const durations = mergeDurations(counted);
  const attempts = succeeded + failed;
  const probeAt = breaker === 'open' ? figures.probeAt : undefined;
  return {
    object: 'webhook_health',
    webhook_id: id,
    enabled,
    attempts: {
      succeeded,
      failed,
      success_rate: attempts === 0 ? null : succeeded / attempts,
      p50_ms: computePercentile(durations, 0.5),
      p95_ms: computePercentile(durations, 0.95),
    },
    hours: counted.map((one, i) => ({
      at: toInstant((hours[i] ?? 0) * hourMs),
      succeeded: one.succeeded,
      failed: one.failed,
      errors: one.errors,
      p50_ms: computePercentile(one.durations, 0.5),
      p95_ms: computePercentile(one.durations, 0.95),
    })),
    last_attempt: figures.last ?? null,
    backlog: {
      pending,
      in_flight: inFlight,
      behind: figures.behind,
      oldest_age_ms: oldestAt === undefined ? null : Math.max(0, now - oldestAt),
      next_attempt_at: enabled ? formatInstantOrNull(findNextAttemptTime(figures.dueAt, probeAt)) : null,
    },
    breaker: {
      state: breaker,
      opened_at: formatInstantOrNull(breaker === 'closed' ? undefined : figures.openedAt),
      next_probe_at: formatInstantOrNull(probeAt),
    },
    failing_since: formatInstantOrNull(figures.failingAt),
    consecutive_failures: figures.failures,
    same_failures: figures.sameFailures,
    missed: {events: figures.missed, since: formatInstantOrNull(figures.missedAt)},
  };
}

const nothing: HourFigures = {succeeded: 0, failed: 0, errors: {}, durations: new Map()};

function sumCounts(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

function mergeDurations(hours: readonly HourFigures[]): Map<number, number> {
  const merged = new Map<number, number>();
  for (const [bucket, count] of hours.flatMap(({durations}) => [...durations])) {
    merged.set(bucket, (merged.get(bucket) ?? 0) + count);
  }
  return merged;
}

/**
 * Returns when something that is due at `dueAt` is sent. With an open circuit breaker, it is not before the
 * next test. All times are in ms.
 */
export function findNextAttemptTime(
  dueAt: number | undefined,
  probeAt: number | undefined,
): number | undefined {
  return dueAt === undefined ? undefined : Math.max(dueAt, probeAt ?? 0);
}

function formatInstantOrNull(ms: number | undefined): string | null {
  return ms === undefined ? null : toInstant(ms);
}

/*
 * Durations are counted in ranges, each a fifth longer than the one before. A percentile of many attempts is
 * then calculated from a few dozen numbers, with an error of about 10 %.
 */
const bucketGrowth = 1.2;
/** The last range, from about 97 s on, which is far longer than any attempt. */
const lastBucket = 64;

/** Returns the range of an attempt's duration: 0 for less than a millisecond, at most 64. */
export function findDurationBucket(ms: number): number {
  if (!(ms >= 1)) return 0;
  return Math.min(lastBucket, 1 + Math.floor(Math.log(ms) / Math.log(bucketGrowth)));
}

/** Returns the duration (ms) that a range stands for: the geometric mean of its bounds. */
export function computeBucketDuration(bucket: number): number {
  if (bucket <= 0) return 0;
  return Math.round(bucketGrowth ** (Math.min(bucket, lastBucket) - 0.5));
}

/**
 * Returns the duration (ms) that a share of all attempts did not exceed, as exactly as the ranges allow; null
 * without attempts.
 */
export function computePercentile(counts: ReadonlyMap<number, number>, share: number): number | null {
  const buckets = [...counts].filter(([, count]) => count > 0).toSorted(([a], [b]) => a - b);
  const total = buckets.reduce((sum, [, count]) => sum + count, 0);
  let passed = 0;
  for (const [bucket, count] of buckets) {
    passed += count;
    if (passed >= total * share) return computeBucketDuration(bucket);
  }
  return null;
}
