/** `closed`: all is well; `open`: nothing is sent but a probe now and then; `recovering`: a few at a time after a probe has succeeded. */
export type BreakerState = 'closed' | 'open' | 'recovering';

/** How a webhook is doing. Instants are ISO 8601 in UTC, times in ms. */
export interface WebhookHealth {
  readonly object: 'webhook_health';
  readonly webhook_id: string;
  /** Of the last 24 hours, to the hour. */
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
    /** How long the oldest of them has existed; null when none waits. */
    readonly oldest_age_ms: number | null;
    readonly next_attempt_at: string | null;
  };
  readonly breaker: {
    readonly state: BreakerState;
    readonly opened_at: string | null;
    readonly next_probe_at: string | null;
  };
  /** Since when no attempt has succeeded though some were made; null while all is well. Disabled 5 days after that. */
  readonly failing_since: string | null;
  readonly consecutive_failures: number;
  /** Events that were not queued because too many waited already; a replay of what was missed makes up for them. */
  readonly missed: {readonly events: number; readonly since: string | null};
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
