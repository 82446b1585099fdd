import type {SendResult} from './attempt.js';
import {isDelivered} from './attempt.js';

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** The wait before each of the 10 attempts, in ms; the last one follows about three days later. */
export const retrySchedule: readonly number[] = [
  0,
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  24 * hourMs,
];

/**
 * Returns the waits of a webhook's own schedule in ms. The schedule has seconds, from the second attempt on.
 * Null means the default schedule.
 */
export function convertRetryScheduleToWaits(seconds: readonly number[] | null): readonly number[] {
  return seconds === null ? retrySchedule : [0, ...seconds.map((wait) => wait * secondMs)];
}

/** The longest wait that a receiver may request with `Retry-After`. */
export const maxRetryAfterMs = 24 * hourMs;

const overloadedWaitMs = minuteMs;
/**
 * The first wait after a failure of our proxy. It doubles each time, so that an unreachable target is not
 * tried at this rate forever.
 */
const proxyWaitMs = 30 * secondMs;
const maxProxyWaitMs = 15 * minuteMs;
const overloaded: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const jitter = 0.2;

export interface RetryContext {
  /** The number of earlier attempts that count as failures. */
  readonly failures: number;
  /** The number of earlier attempts that do not count as failures; 0 by default. */
  readonly uncounted?: number;
  readonly schedule: readonly number[];
  /** Returns a random number in [0, 1). */
  readonly random: () => number;
  /** The instant (ms) after which the delivery is not wanted any more; never by default. */
  readonly expiresAtMs?: number;
  readonly nowMs: number;
  /** True for a test of a failing receiver. Its failure does not count for the delivery. */
  readonly probe?: boolean;
}

export type AttemptOutcome =
  | {readonly kind: 'succeeded'}
  /** `counted`: true if the attempt counts as a failure. */
  | {readonly kind: 'retry'; readonly delayMs: number; readonly counted: boolean}
  | {readonly kind: 'exhausted'}
  /** The next attempt would come after the delivery expires. */
  | {readonly kind: 'expired'}
  | {readonly kind: 'aborted'}
  /**
   * The receiver wants no more deliveries: it answered 410, or `webhook-delivery: disable`. The webhook is
   * disabled. `delivered`: this delivery was accepted nevertheless.
   */
  | {readonly kind: 'gone'; readonly delivered: boolean};

/**
 * Decides what follows an attempt. Only a complete 2xx is a success. The wait is that of the schedule ± 20 %.
 * It is longer if `Retry-After` asks for it, and at least a minute if the receiver is overloaded or too slow.
 * A failure of our proxy, or of a test of a failing receiver, does not count as an attempt.
 */
export function decideAttemptOutcome(result: SendResult, context: RetryContext): AttemptOutcome {
  if (result.status === 410 || result.directive === 'disable')
    return {kind: 'gone', delivered: isDelivered(result)};
  if (isDelivered(result)) return {kind: 'succeeded'};
  if (result.directive === 'abort') return {kind: 'aborted'};
  const counted = result.error !== 'proxy' && context.probe !== true;
  const delayMs = counted ? computeScheduledWait(result, context) : computeUncountedWait(result, context);
  if (delayMs === undefined) return {kind: 'exhausted'};
  if (context.nowMs + delayMs > (context.expiresAtMs ?? Infinity)) return {kind: 'expired'};
  return {kind: 'retry', delayMs, counted};
}

function computeScheduledWait(result: SendResult, {schedule, failures, random}: RetryContext) {
  const scheduled = schedule[failures + 1];
  return scheduled === undefined ? undefined : computeRetryWait(result, scheduled, random());
}

/**
 * Returns the wait after an attempt that does not count. The delivery of a test waits for the next test
 * anyway, unless the receiver requested more time.
 */
function computeUncountedWait(result: SendResult, {random, uncounted = 0}: RetryContext): number {
  if (result.error === 'proxy') {
    const waitMs = Math.min(proxyWaitMs * 2 ** Math.max(0, uncounted), maxProxyWaitMs);
    return Math.round(waitMs * (1 - jitter + 2 * jitter * random()));
  }
  return result.retryAfterMs ?? 0;
}

function computeRetryWait(result: SendResult, scheduledMs: number, random: number): number {
  let delayMs = scheduledMs * (1 - jitter + 2 * jitter * random);
  if (isOverloaded(result) && delayMs < overloadedWaitMs) {
    // A random part is added to the minimum wait, so that the deliveries of one outage do not all return at
    // the same time.
    delayMs = overloadedWaitMs * (1 + jitter * random);
  }
  return Math.round(Math.max(delayMs, Math.min(result.retryAfterMs ?? 0, maxRetryAfterMs)));
}

function isOverloaded({status, error}: SendResult): boolean {
  return error === 'timeout' || (status !== undefined && overloaded.has(status));
}
