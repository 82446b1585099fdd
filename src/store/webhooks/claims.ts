import type {Charge} from '../../domain/webhooks/attempt.js';
import type {AttemptExchange, AttemptRecord} from '../../domain/webhooks/delivery.js';
import type {Webhook} from '../../domain/webhooks/webhook.js';
import type {Standing} from '../../domain/webhooks/webhook-failing.js';
import type {ReadEvent} from '../events/event-bodies.js';
import type {IdSuffix} from '../../domain/core/ids.js';

/** A delivery that goes out now: its lease is held until it is recorded or has run out. */
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

/** Results to record, and the terms of the claims that follow. */
export interface ClaimRequest {
  readonly results: readonly Result[];
  /** Requests at a time of a webhook that has no number of its own; 0 claims nothing. */
  readonly concurrency: number;
  readonly leaseMs: number;
  /** Bounds the number of requests at a time, the webhook's own too. */
  readonly atMost?: number;
  /** False: claims come without their events. */
  readonly withEvents?: boolean;
  /**
   * How many leases the worker holds besides those of the results. Given by one that takes as many again in
   * advance, and gets them where it holds all that are out.
   */
  readonly held?: number;
  /** Until then (monotonic ms) the worker's own leases last: a request that comes later takes none back. */
  readonly sureUntil?: number;
}

/** The webhook that claims go to, with its encrypted headers and secrets, newest first, as they were at the claim. */
export interface SealedTarget {
  readonly webhook: Webhook;
  readonly sealed: {readonly headers: string | null; readonly secrets: readonly string[]};
}

/** What was claimed, and how the webhook is doing. */
export interface ClaimOutcome {
  readonly claims: Claim[];
  /** Absent when nothing was claimed. */
  readonly target?: SealedTarget;
  /** Redis time (ms) at which someone must look again; undefined when nothing is left. */
  readonly nextAt: number | undefined;
  /** Redis time now, to compare with. */
  readonly now: number;
  /** Results not applied, because the attempt no longer held its lease. */
  readonly refused: number;
  /** The receiver takes long, or has lately. */
  readonly slow: boolean;
  /** To be done about a webhook that has failed for days; said again until it has been done. */
  readonly standing: Standing;
  /** The webhook has fallen behind, and there is room for more of its deliveries. */
  readonly mayCatchUp: boolean;
  /** Records that could not be read and have been made good, so that they hold nothing up. */
  readonly repaired: number;
  /** More would go out now, but for the requests that are on the wire. */
  readonly waits: boolean;
  /** Of the leases so many may be on the wire without asking again; 0: none but those just claimed. */
  readonly wire: number;
}
