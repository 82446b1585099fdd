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
  readonly last_attempt: Attempt | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** One HTTP request of a delivery. */
export interface Attempt {
  /** Counted from 1. */
  readonly number: number;
  readonly at: string;
  readonly duration_ms: number;
  /** HTTP status, or null when no answer came. */
  readonly status: number | null;
  /** Why it failed, from a closed list; null when it succeeded. */
  readonly error: string | null;
}
