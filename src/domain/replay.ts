import type {EventType} from './event.js';

/** Which events are sent again: those that failed for good, those never queued (the webhook was disabled, or too much waited), or all. */
export type ReplayOnly = 'failed' | 'missed' | 'all';

export type ReplayState = 'running' | 'completed' | 'cancelled';

/** Events of some time, sent to one webhook again. */
export interface Replay {
  readonly id: string;
  readonly object: 'replay';
  readonly webhook_id: string;
  /** Of the events, both inclusive. */
  readonly since: string;
  readonly until: string;
  /** Null for all that the webhook asks for. */
  readonly types: readonly EventType[] | null;
  readonly only: ReplayOnly;
  readonly dry_run: boolean;
  readonly state: ReplayState;
  readonly progress: {
    /** Events looked at, of how many in that time. */
    readonly scanned: number;
    readonly total: number;
    /** Deliveries made (in a dry run: that would have been), and what has become of them. */
    readonly matched: number;
    readonly succeeded: number;
    readonly failed: number;
  };
  readonly created_at: string;
  readonly ended_at: string | null;
}
