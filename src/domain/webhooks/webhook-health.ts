import type {AttemptError} from './attempt.js';
import {toInstant} from '../core/dates.js';
import type {Id} from '../core/ids.js';

/**
 * An attempt that takes longer than this (ms) makes its webhook a slow one, whose time slices have low
 * priority.
 */
export const slowMs = 5_000;

/**
 * `closed`: all is well; `open`: nothing is sent but a probe now and then; `recovering`: a few at a time
 * after a probe has succeeded.
 */
export const breakerStates = ['closed', 'open', 'recovering'] as const;

export type BreakerState = (typeof breakerStates)[number];

/** The health of a webhook. Instants are ISO 8601 in UTC, times in ms. */
export interface WebhookHealth {
  readonly object: 'webhook_health';
  readonly webhook_id: Id<'webhook'>;
  /** Nothing is sent to a disabled webhook: its deliveries are held. */
  readonly enabled: boolean;
  /** Attempts of the present hour and the 24 before it. Failures that we caused are not counted. */
  readonly attempts: {
    readonly succeeded: number;
    readonly failed: number;
    /** Share of attempts that succeeded, 0 to 1; null when there were none. */
    readonly success_rate: number | null;
    readonly p50_ms: number | null;
    readonly p95_ms: number | null;
  };
  /** The same by hours of UTC, the oldest first: 25 hours, the last of which is the present one. */
  readonly hours: readonly HealthHour[];
  /** The last counted attempt; null: none since the webhook was made, enabled or pointed elsewhere. */
  readonly last_attempt: LastAttempt | null;
  readonly backlog: {
    /** Deliveries that wait for any reason, also for another one of their team, and those of replays. */
    readonly pending: number;
    readonly in_flight: number;
    /** The age of the event of the oldest of them, replays excluded; null when there is none. */
    readonly oldest_age_ms: number | null;
    /**
     * Events of the log that are still to be looked at for it, since too many deliveries wait already; 0 when
     * it has not fallen behind.
     */
    readonly behind: number;
    /** When the next attempt is due; null when none waits, or the webhook is disabled. */
    readonly next_attempt_at: string | null;
  };
  readonly breaker: {
    readonly state: BreakerState;
    readonly opened_at: string | null;
    readonly next_probe_at: string | null;
  };
  /**
   * Since when no attempt has succeeded though some were made; null while all is well. The webhook is
   * disabled 5 days after that, when it was tried often enough.
   */
  readonly failing_since: string | null;
  /** Attempts failed since the last one that succeeded. */
  readonly consecutive_failures: number;
  /** How many of them, counted back from the last one, have the same error and status as the last one. */
  readonly same_failures: number;
  /**
   * Events that were dropped from the log before there was room for them, and since when that has happened.
   */
  readonly missed: {readonly events: number; readonly since: string | null};
}

export interface HealthHour {
  /** When it begins. */
  readonly at: string;
  readonly succeeded: number;
  readonly failed: number;
  /** Failed attempts, by error. */
  readonly errors: Readonly<Partial<Record<AttemptError, number>>>;
  readonly p50_ms: number | null;
  readonly p95_ms: number | null;
}

export interface LastAttempt {
  /** When its end was recorded. */
  readonly at: string;
  /** Null when it succeeded. */
  readonly error: AttemptError | null;
  /** Null when no answer came. */
  readonly status: number | null;
}

/** The counts of one hour, as the store has them. */
export interface HourFigures {
  readonly succeeded: number;
  readonly failed: number;
  readonly errors: HealthHour['errors'];
  /** The number of attempts of each `durationBucket`. */
  readonly durations: ReadonlyMap<number, number>;
}

/** The store's figures for a webhook at one instant; instants in ms. */
export interface WebhookFigures {
  readonly now: number;
  readonly enabled: boolean;
  readonly pending: number;
  readonly inFlight: number;
  readonly behind: number;
  /** When the event of the oldest unfinished delivery occurred. */
  readonly oldestAt: number | undefined;
  /** When the first of those that wait is due. */
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
  /** By hours since the epoch. */
  readonly hours: ReadonlyMap<number, HourFigures>;
}

const hourMs = 3_600_000;
/** This hour and the 24 before it, so that a whole day is always included. */
export const healthHours = 25;

export function presentHealth(id: Id<'webhook'>, figures: WebhookFigures): WebhookHealth {
  const {now, enabled, pending, inFlight, oldestAt, breaker} = figures;
  const present = Math.floor(now / hourMs);
  const hours = Array.from({length: healthHours}, (_, i) => present - healthHours + 1 + i);
  const counted = hours.map((hour) => figures.hours.get(hour) ?? nothing);
  const succeeded = sumOf(counted.map((hour) => hour.succeeded));
  const failed = sumOf(counted.map((hour) => hour.failed));
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
      p50_ms: percentile(durations, 0.5),
      p95_ms: percentile(durations, 0.95),
    },
    hours: counted.map((one, i) => ({
      at: toInstant((hours[i] ?? 0) * hourMs),
      succeeded: one.succeeded,
      failed: one.failed,
      errors: one.errors,
      p50_ms: percentile(one.durations, 0.5),
      p95_ms: percentile(one.durations, 0.95),
    })),
    last_attempt: figures.last ?? null,
    backlog: {
      pending,
      in_flight: inFlight,
      behind: figures.behind,
      oldest_age_ms: oldestAt === undefined ? null : Math.max(0, now - oldestAt),
      next_attempt_at: enabled ? instantOf(nextAttemptAt(figures.dueAt, probeAt)) : null,
    },
    breaker: {
      state: breaker,
      opened_at: instantOf(breaker === 'closed' ? undefined : figures.openedAt),
      next_probe_at: instantOf(probeAt),
    },
    failing_since: instantOf(figures.failingAt),
    consecutive_failures: figures.failures,
    same_failures: figures.sameFailures,
    missed: {events: figures.missed, since: instantOf(figures.missedAt)},
  };
}

const nothing: HourFigures = {succeeded: 0, failed: 0, errors: {}, durations: new Map()};

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

function mergeDurations(hours: readonly HourFigures[]): Map<number, number> {
  const merged = new Map<number, number>();
  for (const [bucket, count] of hours.flatMap(({durations}) => [...durations])) {
    merged.set(bucket, (merged.get(bucket) ?? 0) + count);
  }
  return merged;
}

/** When something due at `dueAt` is sent: behind an open breaker, not before the next probe. All in ms. */
export function nextAttemptAt(dueAt: number | undefined, probeAt: number | undefined): number | undefined {
  return dueAt === undefined ? undefined : Math.max(dueAt, probeAt ?? 0);
}

function instantOf(ms: number | undefined): string | null {
  return ms === undefined ? null : toInstant(ms);
}

/*
 * Durations are counted in buckets that grow by a fifth, so that a percentile over many attempts is computed
 * from a few dozen numbers, with an error of about 10 % to either side.
 */
const bucketGrowth = 1.2;
/** The last one has everything from about 97 s on: far more than an attempt may take. */
const lastBucket = 64;

/** The bucket of an attempt's duration: 0 for less than a millisecond, at most 64. */
export function durationBucket(ms: number): number {
  if (!(ms >= 1)) return 0;
  return Math.min(lastBucket, 1 + Math.floor(Math.log(ms) / Math.log(bucketGrowth)));
}

/** The duration (ms) that a bucket represents: the geometric mean of its bounds. */
export function bucketDuration(bucket: number): number {
  if (bucket <= 0) return 0;
  return Math.round(bucketGrowth ** (Math.min(bucket, lastBucket) - 0.5));
}

/** The duration (ms) that a share of all attempts did not exceed, to a bucket; null when none was counted. */
export function percentile(counts: ReadonlyMap<number, number>, share: number): number | null {
  const buckets = [...counts].filter(([, count]) => count > 0).toSorted(([a], [b]) => a - b);
  const total = buckets.reduce((sum, [, count]) => sum + count, 0);
  let passed = 0;
  for (const [bucket, count] of buckets) {
    passed += count;
    if (passed >= total * share) return bucketDuration(bucket);
  }
  return null;
}
