import type {SendResult} from './attempt.js';
import {isDelivered} from './attempt.js';

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** Waits before each of the 10 attempts, in ms; the first goes out at once. The last follows the first by about three days. */
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

/** Waits in ms from those a webhook sets for itself, in seconds from the second attempt on; null for the service's own. */
export function scheduleOf(seconds: readonly number[] | null): readonly number[] {
  return seconds === null ? retrySchedule : [0, ...seconds.map((wait) => wait * secondMs)];
}

/** Longest wait a receiver may ask for with `Retry-After`. */
export const maxRetryAfterMs = 24 * hourMs;

const overloadedWaitMs = minuteMs;
/** Doubled by each attempt that was not counted: a destination that the proxy will never lead to is not to be asked for ever and ever. */
const proxyWaitMs = 30 * secondMs;
const maxProxyWaitMs = 15 * minuteMs;
const overloaded: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const jitter = 0.2;

export interface RetryContext {
  /** Failed attempts recorded before this one. */
  readonly failures: number;
  /** Attempts before this one that were not recorded as failures; left out: none. */
  readonly uncounted?: number;
  readonly schedule: readonly number[];
  /** A number in [0, 1), drawn by the caller. */
  readonly random: () => number;
  /** After this instant the delivery is no longer wanted; left out: never. */
  readonly expiresAtMs?: number;
  readonly nowMs: number;
  /** A probe of an open breaker: when it fails the delivery has lost nothing by it. */
  readonly probe?: boolean;
}

export type AttemptOutcome =
  | {readonly kind: 'succeeded'}
  /** `counted`: as a failure of the schedule. */
  | {readonly kind: 'retry'; readonly delayMs: number; readonly counted: boolean}
  | {readonly kind: 'exhausted'}
  /** Its next attempt would come when it is no longer wanted. */
  | {readonly kind: 'expired'}
  | {readonly kind: 'aborted'}
  /** The receiver wants nothing more: 410, or `webhook-delivery: disable` with any status. Disables the webhook; `delivered`: this one was taken all the same. */
  | {readonly kind: 'gone'; readonly delivered: boolean};

/**
 * What follows from one attempt. Success is a complete 2xx only. A wait is that of the schedule ± 20 %, lengthened to what `Retry-After`
 * asks for (never shortened) and to a minute for receivers that are overloaded or too slow. Our own way out failing, and a probe of an
 * open breaker, use up no attempt.
 */
export function decideOutcome(result: SendResult, context: RetryContext): AttemptOutcome {
  if (result.status === 410 || result.directive === 'disable')
    return {kind: 'gone', delivered: isDelivered(result)};
  if (isDelivered(result)) return {kind: 'succeeded'};
  if (result.directive === 'abort') return {kind: 'aborted'};
  const counted = result.error !== 'proxy' && context.probe !== true;
  const delayMs = counted ? scheduledWait(result, context) : uncountedWait(result, context);
  if (delayMs === undefined) return {kind: 'exhausted'};
  if (context.nowMs + delayMs > (context.expiresAtMs ?? Infinity)) return {kind: 'expired'};
  return {kind: 'retry', delayMs, counted};
}

function scheduledWait(result: SendResult, {schedule, failures, random}: RetryContext): number | undefined {
  const scheduled = schedule[failures + 1];
  return scheduled === undefined ? undefined : wait(result, scheduled, random());
}

/** A probe's delivery waits for the next probe anyway, unless its receiver wants to be left alone for longer. */
function uncountedWait(result: SendResult, {random, uncounted = 0}: RetryContext): number {
  if (result.error === 'proxy') {
    const waitMs = Math.min(proxyWaitMs * 2 ** Math.max(0, uncounted), maxProxyWaitMs);
    return Math.round(waitMs * (1 - jitter + 2 * jitter * random()));
  }
  return result.retryAfterMs ?? 0;
}

function wait(result: SendResult, scheduledMs: number, random: number): number {
  let delayMs = scheduledMs * (1 - jitter + 2 * jitter * random);
  if (isOverloaded(result) && delayMs < overloadedWaitMs) {
    // The jitter goes on top of the least wait, so that the deliveries of one outage do not all come back in the same second.
    delayMs = overloadedWaitMs * (1 + jitter * random);
  }
  return Math.round(Math.max(delayMs, Math.min(result.retryAfterMs ?? 0, maxRetryAfterMs)));
}

function isOverloaded({status, error}: SendResult): boolean {
  return error === 'timeout' || (status !== undefined && overloaded.has(status));
}
