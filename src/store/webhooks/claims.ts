import type {Charge} from '../../domain/webhooks/attempt.js';
import type {AttemptExchange, AttemptRecord} from '../../domain/webhooks/delivery.js';
import type {Webhook} from '../../domain/webhooks/webhook.js';
import type {FailureAction} from '../../domain/webhooks/webhook-failing.js';
import type {ReadEvent} from '../events/event-bodies.js';
import type {IdSuffix} from '../../domain/core/ids.js';

/** A delivery that goes out now: its lease is held until its result is recorded or the lease has expired. */
export interface Claim {
  readonly suffix: IdSuffix<'delivery'>;
  readonly sequence: number;
  readonly attempt: number;
  /** Failures recorded so far, which the retry schedule counts. */
  readonly failures: number;
  /** Redis time (ms) of the claim. */
  readonly claimedAt: number;
  /** Counts the events for this webhook, from 1; absent for one that was never queued before. */
  readonly number?: number;
  /** Id suffix of the replay that made it. */
  readonly replay?: IdSuffix<'replay'>;
  /** The one request that an open breaker lets out to see whether the receiver is back. */
  readonly probe: boolean;
  /** Its event at the time of the claim; absent when the log has dropped it. */
  readonly event?: ReadEvent;
}

/** Claims of one webhook that a process holds. */
export interface HeldClaims {
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
  /** Whether it counts for or against the receiver. */
  readonly charge: Charge;
  /** True when the retry schedule counts it as a failure. */
  readonly counted: boolean;
  readonly attempt?: AttemptRecord;
  readonly exchange?: () => AttemptExchange;
}

/** Results to record, and the terms of the claims that follow. */
export interface ClaimRequest {
  readonly results: readonly Result[];
  /** Requests at a time for a webhook without its own number; 0 claims nothing. */
  readonly concurrency: number;
  readonly leaseMs: number;
  /** Limits the number of requests at a time, including the webhook's own number. */
  readonly atMost?: number;
  /** False: claims come without their events. */
  readonly withEvents?: boolean;
  /**
   * How many leases the worker holds besides those of the results. Set by a worker that takes as many again
   * in advance, and gets them if it holds all current leases.
   */
  readonly held?: number;
  /** The worker's own leases last until then (monotonic ms): a request that arrives later takes none back. */
  readonly sureUntil?: number;
}

/**
 * The webhook of the claims, with its encrypted headers and secrets, newest first, at the time of the claim.
 */
export interface EncryptedTarget {
  readonly webhook: Webhook;
  readonly encrypted: {readonly headers: string | null; readonly secrets: readonly string[]};
}

/** The claimed deliveries, and the state of the webhook. */
export interface ClaimOutcome {
  readonly claims: Claim[];
  /** Absent when nothing was claimed. */
  readonly target?: EncryptedTarget;
  /** Redis time (ms) of the next look; undefined when nothing is left. */
  readonly nextAt: number | undefined;
  /** The current Redis time, for comparison. */
  readonly now: number;
  /** Results not applied, because the attempt no longer held its lease. */
  readonly refused: number;
  /** The receiver is slow, or has been lately. */
  readonly slow: boolean;
  /** The action required for a webhook that has failed for days; repeated until it has been done. */
  readonly failureAction: FailureAction;
  /** The webhook has fallen behind, and there is room for more of its deliveries. */
  readonly mayCatchUp: boolean;
  /** The number of unreadable records that were repaired, so that they block nothing. */
  readonly repaired: number;
  /** More would go out now, but for the requests in progress. */
  readonly waits: boolean;
  /**
   * The number of leases that may be sent at the same time without asking again; 0: only those just claimed.
   */
  readonly wire: number;
}
