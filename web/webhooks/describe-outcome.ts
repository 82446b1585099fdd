import type {Delivery} from '../api/schema.ts';
import {formatAhead, formatDuration} from '../parts/deliveries/durations.ts';
import {describeOutcome} from '../parts/deliveries/outcomes.ts';
import {texts} from '../texts/texts.ts';

type TimedAttemptResult = Pick<NonNullable<Delivery['last_attempt']>, 'status' | 'error' | 'duration_ms'>;

export function describeAttempt(attempt: TimedAttemptResult, state: string): string {
  const t = texts.webhookChanges.outcome;
  const {status, duration_ms: ms} = attempt;
  if (state === 'succeeded') return t.succeeded({status: String(status), ms: formatDuration(ms)});
  return t.failed({reason: describeOutcome(attempt), ms: formatDuration(ms)});
}

/** Describes the next step of a delivery that has not succeeded. */
export function describeState({state, next_attempt_at: next}: Delivery, now: number): string {
  const t = texts.webhookChanges.outcome;
  switch (state) {
    case 'pending':
      return t.pending;
    case 'delivering':
      return t.delivering;
    case 'retrying':
      return next === null ? t.pending : t.retrying({at: formatAhead(next, now)});
    case 'held':
      return next === null ? t.heldOff : t.held;
    case 'exhausted':
      return t.exhausted;
    case 'aborted':
      return t.aborted;
    case 'expired':
      return t.expired;
    default:
      return state;
  }
}
