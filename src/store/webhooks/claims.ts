import type {Charge} from '../../domain/webhooks/attempt.js';
import type {AttemptExchange, AttemptRecord} from '../../domain/webhooks/delivery.js';
import type {Webhook} from '../../domain/webhooks/webhook.js';
import type {FailureAction} from '../../domain/webhooks/webhook-failing.js';
import type {ReadEvent} from '../events/event-bodies.js';
import type {IdSuffix} from '../../domain/core/ids.js';

/** A delivery that is sent now. Its lease is held until the result is recorded or the lease expires. */
export interface Claim {
  readonly suffix: IdSuffix<'delivery'>;
  readonly sequence: number;
  readonly attempt: number;
  /** The number of recorded failures, which the retry schedule counts. */
  readonly failures: number;
  /** The time of the claim in ms, by the clock of Redis. */
  readonly claimedAt: number;
  /** The number of the event for this webhook, from 1. Absent for a delivery that never waited. */
  readonly number?: number;
  /** The id suffix of the replay that created the delivery. */
  readonly replay?: IdSuffix<'replay'>;
  /** True for the one request that an open circuit breaker allows, as a test of the receiver. */
  readonly probe: boolean;
  /** The event at the time of the claim; absent when the log has deleted it. */
  readonly event?: ReadEvent;
}

/** The claims of one webhook that a worker holds. */
export interface HeldClaims {
  readonly webhook: IdSuffix<'webhook'>;
  readonly claims: readonly Claim[];
}

/**
 * The result of an attempt, and what follows. `retrying` waits `delayMs`. `returned`: the attempt never began,
 * and the claim is given back.
 */
export interface Result {
  readonly claim: Claim;
  readonly state: 'succeeded' | 'retrying' | 'exhausted' | 'aborted' | 'expired' | 'returned';
  readonly delayMs: number;
  /** The effect of the result on the receiver's health. */
  readonly charge: Charge;
  /** True when the result counts as a failure in the retry schedule. */
  readonly counted: boolean;
  readonly attempt?: AttemptRecord;
  readonly exchange?: () => AttemptExchange;
}

/** Results of a webhook that a worker records, and the limits for the deliveries that it claims in the same step. */
export interface ClaimRequest {
  readonly webhook: IdSuffix<'webhook'>;
  readonly results: readonly Result[];
  /** The number of simultaneous requests for a webhook that sets none itself. With 0, nothing is claimed. */
  readonly concurrency: number;
  /** The maximum number of simultaneous requests, whatever the webhook sets. */
  readonly atMost?: number;
  /** False if claims should come without their events. */
  readonly withEvents?: boolean;
  /**
   * The number of leases that the worker holds, without the leases of the results. A worker that claims in
   * advance sets it, and gets more leases only if it holds all current ones.
   */
  readonly held?: number;
  /** The time (monotonic ms) until which the leases are certain. A later request ends no expired leases. */
  readonly sureUntil?: number;
}

/** The webhook of the claims with its encrypted headers and secrets, the newest secret first. */
export interface EncryptedTarget {
  readonly webhook: Webhook;
  readonly encrypted: {readonly headers: string | null; readonly secrets: readonly string[]};
}

/** The claimed deliveries, and the state of their webhook. */
export interface ClaimOutcome {
  readonly claims: Claim[];
  /** The webhook to which the claims belong; absent when nothing was claimed. */
  readonly target?: EncryptedTarget;
  /** The time of the webhook's next check (ms, by the clock of Redis); undefined when nothing is left. */
  readonly nextAt: number | undefined;
  /** The current time of Redis, for comparison. */
  readonly now: number;
  /** The number of results that were ignored, because their attempts had lost their leases. */
  readonly refused: number;
  /** True when the receiver is slow, or was slow recently. */
  readonly slow: boolean;
  /** The consequence for a webhook that has failed for days. It is repeated until it has been carried out. */
  readonly failureAction: FailureAction;
  /** True when the webhook has fallen behind and there is space for more of its deliveries. */
  readonly mayCatchUp: boolean;
  /** The number of unreadable records, which were replaced so that they block no other delivery. */
  readonly repaired: number;
  /** True when more deliveries are due, but the limit on simultaneous requests is reached. */
  readonly waits: boolean;
  /**
   * The number of leased deliveries that may be sent at the same time without asking the store again. With 0,
   * only the deliveries that were just claimed may be sent.
   */
  readonly wire: number;
}
