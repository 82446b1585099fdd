import {toInstant} from './dates.js';

/** An attempt that takes longer (ms) makes its webhook a slow one, and its turn one of the slow lane. */
export const slowMs = 5_000;

/** `closed`: all is well; `open`: nothing is sent but a probe now and then; `recovering`: a few at a time after a probe has succeeded. */
export const breakerStates = ['closed', 'open', 'recovering'] as const;

export type BreakerState = (typeof breakerStates)[number];

/** How a webhook is doing. Instants are ISO 8601 in UTC, times in ms. */
export interface WebhookHealth {
  readonly object: 'webhook_health';
  readonly webhook_id: string;
  /** Nothing is sent to a webhook that is disabled: what waits is held. */
  readonly enabled: boolean;
  /** Of the present hour and the 24 before it. Those that failed by our own fault are not counted. */
  readonly attempts: {
    readonly succeeded: number;
    readonly failed: number;
    /** Share of attempts that succeeded, 0 to 1; null when there were none. */
    readonly success_rate: number | null;
    readonly p50_ms: number | null;
    readonly p95_ms: number | null;
  };
  readonly backlog: {
    /** Waiting, for whatever reason; those that wait for another of their team and those of replays included. */
    readonly pending: number;
    readonly in_flight: number;
    /** How long ago the event of the oldest of them occurred, replays left out; null when there is none. */
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
  /** Since when no attempt has succeeded though some were made; null while all is well. Disabled 5 days after that, when it was tried often enough. */
  readonly failing_since: string | null;
  /** Attempts failed since the last one that succeeded. */
  readonly consecutive_failures: number;
  /**
   * Events that were dropped from the log before there was room for them, and since when that has happened.
   */
  readonly missed: {readonly events: number; readonly since: string | null};
}

/** What the store counts and keeps of a webhook, at one instant; instants in ms. */
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
  readonly missed: number;
  readonly missedAt: number | undefined;
  readonly succeeded: number;
  readonly failed: number;
  /** How many attempts took how long, by `durationBucket`. */
  readonly durations: ReadonlyMap<number, number>;
}

export function presentHealth(id: string, figures: WebhookFigures): WebhookHealth {
  const {now, enabled, pending, inFlight, oldestAt, succeeded, failed, durations, breaker} = figures;
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
    missed: {events: figures.missed, since: instantOf(figures.missedAt)},
  };
}

/** When something that is due at `dueAt` goes out: behind a breaker that is open, not before the next probe. All in ms. */
export function nextAttemptAt(dueAt: number | undefined, probeAt: number | undefined): number | undefined {
  return dueAt === undefined ? undefined : Math.max(dueAt, probeAt ?? 0);
}

function instantOf(ms: number | undefined): string | null {
  return ms === undefined ? null : toInstant(ms);
}

/*
 * Durations are counted in buckets that grow by a fifth, so that a percentile over many attempts is told from a few dozen numbers, about
 * 10 % to either side.
 */
const bucketGrowth = 1.2;
/** The last one has everything from about 97 s on: far more than an attempt may take. */
const lastBucket = 64;

/** Where the duration of an attempt is counted: 0 for less than a millisecond, at most 64. */
export function durationBucket(ms: number): number {
  if (!(ms >= 1)) return 0;
  return Math.min(lastBucket, 1 + Math.floor(Math.log(ms) / Math.log(bucketGrowth)));
}

/** The duration (ms) that a bucket stands for: the geometric middle of what is counted in it. */
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
