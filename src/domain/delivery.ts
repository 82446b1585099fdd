import {composeId, encodeBase32} from './ids.js';

/** The life of a delivery, as the API shows it. `held`: waiting because its webhook is disabled. */
export type DeliveryState =
  | 'pending'
  | 'delivering'
  | 'succeeded'
  | 'retrying'
  | 'exhausted'
  | 'aborted'
  | 'expired'
  | 'held';

export interface Delivery {
  readonly id: string;
  readonly object: 'delivery';
  readonly webhook_id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly state: DeliveryState;
  /** Attempts begun so far. */
  readonly attempts: number;
  readonly next_attempt_at: string | null;
  readonly last_attempt: AttemptSummary | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** What came of one HTTP request, in milliseconds where it is a time. */
export interface AttemptRecord {
  readonly at: string;
  readonly duration_ms: number;
  /** Until a connection was at hand (DNS, TCP, TLS); null when none was. */
  readonly connect_ms: number | null;
  /** From the start until the response's headers; null when none came. */
  readonly first_byte_ms: number | null;
  /** HTTP status, or null when no answer came. */
  readonly status: number | null;
  /** Why it failed, from a closed list; null when it succeeded. */
  readonly error: string | null;
}

/** One HTTP request of a delivery, as the delivery itself shows its last one. */
export interface AttemptSummary extends AttemptRecord {
  readonly id: string;
  readonly object: 'attempt';
  /** Counted from 1. */
  readonly number: number;
}

export interface Attempt extends AttemptSummary {
  /** Beginning of the response's body; null when it was empty or is no longer kept. */
  readonly response_excerpt: string | null;
}

/** An attempt's id follows from its delivery, its number and its time, so that it need not be kept. `drawn` is the delivery's drawn half. */
export function attemptId(drawn: string, number: number, at: number): string {
  return composeId('attempt', at, drawn.slice(0, 5) + encodeBase32(number % 32_768, 3) + drawn.slice(8));
}
