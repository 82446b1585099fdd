import {z} from 'zod';
import {attemptErrors} from './attempt.js';
import {mostWaiting} from '../core/limits.js';
import {id, type Infer, instant} from '../core/schemas.js';
import {toInstant} from '../core/dates.js';
import type {Id} from '../core/ids.js';

/** The duration (ms) of a slow attempt. Work for a webhook with slow attempts has low priority. */
export const slowMs = 5_000;

/**
 * The states of a circuit breaker. `closed`: all is well. `open`: only a test is sent now and then.
 * `recovering`: a few deliveries at a time after a successful test.
 */
export const breakerStates = ['closed', 'open', 'recovering'] as const;

export type BreakerState = (typeof breakerStates)[number];

/** The number of hours: the current one and the 24 before it, so that a whole day is always included. */
export const healthHours = 25;

const count = z.int().min(0);
const milliseconds = z.int().min(0).nullable();

export const webhookHealthSchema = z
  .object({
    object: z.literal('webhook_health'),
    webhook_id: id('webhook'),
    enabled: z
      .boolean()
      .meta({description: 'Whether it is enabled. False: nothing is sent, and waiting deliveries are held.'}),
    attempts: z
      .object({
        succeeded: count,
        failed: count,
        success_rate: z
          .number()
          .min(0)
          .max(1)
          .nullable()
          .meta({description: 'The share of attempts that succeeded. Null if there were none.'}),
        p50_ms: milliseconds.meta({description: 'The median duration of the attempts, to about 10 %.'}),
        p95_ms: milliseconds.meta({
          description: 'The 95th percentile of the duration of the attempts, to about 10 %.',
        }),
      })
      .meta({
        description:
          'The attempts of the current hour and the 24 before it. Attempts that failed because of the service, or that the receiver ended (410, `webhook-delivery`), are not counted.',
      }),
    hours: z
      .array(
        z.object({
          at: instant.meta({description: 'When the hour begins.'}),
          succeeded: count,
          failed: count,
          errors: z.partialRecord(z.enum(attemptErrors), count).meta({
            description: 'The number of failed attempts by error. Errors without attempts are left out.',
          }),
          p50_ms: milliseconds,
          p95_ms: milliseconds,
        }),
      )
      .length(healthHours)
      .meta({
        description: `The same numbers for each hour in UTC, the oldest first: ${healthHours} hours, of which the last is the current one.`,
      }),
    last_attempt: z
      .object({
        at: instant.meta({description: 'When the end of the attempt was recorded.'}),
        error: z
          .enum(attemptErrors)
          .nullable()
          .meta({description: 'The error. Null if the attempt succeeded.'}),
        status: z.int().nullable().meta({description: 'The HTTP status. Null without a response.'}),
      })
      .nullable()
      .meta({
        description:
          'The last counted attempt. Null if there was none since the webhook was created, enabled, or got another `url`.',
      }),
    backlog: z.object({
      pending: count.meta({
        description:
          'The number of waiting deliveries. They wait for their next attempt, for another delivery of their team, or for a probe. Deliveries of replays are included.',
      }),
      in_flight: count.meta({description: 'The number of deliveries with an attempt under way.'}),
      behind: count.meta({
        description: `The number of events waiting in the log because ${mostWaiting} deliveries already wait. Events of all types are counted. They are queued automatically, in order, as deliveries are sent. 0 if the webhook has not fallen behind.`,
      }),
      oldest_age_ms: milliseconds.meta({
        description:
          'The age of the event of the oldest unfinished delivery, without replays. Null if there is none. If more than 200 wait, it is the oldest of the 100 due first and the 100 delayed longest.',
      }),
      next_attempt_at: instant.nullable().meta({
        description: 'When the next attempt is due. Null if none waits, or the webhook is disabled.',
      }),
    }),
    breaker: z
      .object({
        state: z.enum(breakerStates),
        opened_at: instant
          .nullable()
          .meta({description: 'When the breaker opened. Null while the breaker is `closed`.'}),
        next_probe_at: instant.nullable().meta({
          description: 'When the next probe is sent. Null unless the breaker is `open`.',
        }),
      })
      .meta({
        description:
          'The breaker is `open` after 5 failures in a row, or when half of the last 20 attempts have failed: deliveries wait without losing attempts, and single requests are sent as probes. After a successful probe the breaker is `recovering`: a few deliveries are sent at a time. Then the breaker is `closed`.',
      }),
    failing_since: instant.nullable().meta({
      description:
        'When the first attempt failed after the last success. Null while attempts succeed. After 5 days, and 10 attempts or more, the webhook is disabled.',
    }),
    consecutive_failures: count.meta({description: 'The number of failed attempts since the last success.'}),
    same_failures: count.meta({
      description: 'How many of these failures in a row, back from the last, have the same error and status.',
    }),
    missed: z.object({events: count, since: instant.nullable()}).meta({
      description:
        'The number of events that expired from the log before there was room for them. They can no longer be sent.',
    }),
  })
  .meta({id: 'WebhookHealth', description: 'The health of a webhook. It changes too often for an `ETag`.'});

/** The health of a webhook. Instants are ISO 8601 in UTC, durations in ms. */
export type WebhookHealth = Infer<typeof webhookHealthSchema>;

export type HealthHour = WebhookHealth['hours'][number];
export type LastAttempt = NonNullable<WebhookHealth['last_attempt']>;

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
export function presentHealth(webhook: Id<'webhook'>, figures: WebhookFigures): WebhookHealth {
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
    webhook_id: webhook,
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

/** Returns the duration (ms) that a share of all attempts did not exceed; null without attempts. */
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
