import type {Charge} from '../../domain/webhooks/attempt.js';
import type {AttemptExchange, AttemptRecord} from '../../domain/webhooks/delivery.js';
import type {ReadEvent} from '../events/event-bodies.js';
import type {IdSuffix} from '../../domain/core/ids.js';

/** A delivery whose turn it is: its lease is held until it is recorded or has run out. */
export interface Claim {
  readonly drawn: IdSuffix<'delivery'>;
  readonly sequence: number;
  readonly attempt: number;
  /** Failures recorded so far: what the retry schedule counts. */
  readonly failures: number;
  /** Redis time (ms) of the claim. */
  readonly claimedAt: number;
  /** Counts the events made for this webhook, from 1; absent for one that was never queued before. */
  readonly number?: number;
  /** Drawn half of the id of the replay that made it. */
  readonly replay?: IdSuffix<'replay'>;
  /** The one request that an open breaker lets out to see whether the receiver is back. */
  readonly probe: boolean;
  /** Its event as it was claimed; absent where the log has dropped it. */
  readonly event?: ReadEvent;
}

/** Claims of one webhook that a process holds. */
export interface Held {
  readonly webhook: IdSuffix<'webhook'>;
  readonly claims: readonly Claim[];
}

/**
 * How an attempt ended and what follows; `retrying` waits `delayMs`. `returned`: it never began, and the
 * claim is given back.
 */
export interface Result {
  readonly claim: Claim;
  readonly state: 'succeeded' | 'retrying' | 'exhausted' | 'aborted' | 'expired' | 'returned';
  readonly delayMs: number;
  /** Its word on the receiver. */
  readonly charge: Charge;
  /** True when the retry schedule counts it as a failure. */
  readonly counted: boolean;
  readonly attempt?: AttemptRecord;
  readonly exchange?: () => AttemptExchange;
}
