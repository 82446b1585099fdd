import {formatAhead, formatDuration} from '../parts/deliveries/durations.ts';
import {outcomeOf} from '../parts/deliveries/outcomes.ts';
import {words} from '../words/words.ts';
import type {Delivery} from './queries.ts';

type Attempt = Pick<NonNullable<Delivery['last_attempt']>, 'status' | 'error' | 'duration_ms'>;

/** How the last attempt ended. */
export function tellAttempt(attempt: Attempt, state: string): string {
  const t = words.webhookChanges.outcome;
  const {status, duration_ms: ms} = attempt;
  if (state === 'succeeded') return t.succeeded(String(status), formatDuration(ms));
  return t.failed(outcomeOf(attempt), formatDuration(ms));
}

/** The next step of a delivery that has not succeeded. */
export function tellState({state, next_attempt_at: next}: Delivery, now: number): string {
  const t = words.webhookChanges.outcome;
  switch (state) {
    case 'pending':
      return t.pending;
    case 'delivering':
      return t.delivering;
    case 'retrying':
      return next === null ? t.pending : t.retrying(formatAhead(next, now));
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
