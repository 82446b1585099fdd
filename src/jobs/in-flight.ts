import type {TraceContext} from '../domain/core/trace-context.js';
import {slowMs} from '../domain/webhooks/webhook-health.js';
import {defaultSettings} from '../domain/webhooks/webhook-settings.js';
import type {Claim, Result} from '../store/webhooks/claims.js';
import type {EventMessage, DeliveryTarget} from './attempts.js';
import type {LeaseHolder} from './leases.js';
import type {Id, IdSuffix} from '../domain/core/ids.js';

/** The stored events of deliveries, by the deliveries' id suffixes. */
export type EventMessages = ReadonlyMap<string, EventMessage>;

/** The event of a claimed delivery. `read` resolves when all data for its body has been read. */
export interface ClaimedEvent {
  readonly suffix: IdSuffix<'delivery'>;
  readonly event: NonNullable<Claim['event']>;
  readonly read: Promise<unknown> | undefined;
}

/** A claimed delivery that starts when a request to its webhook ends. */
export interface QueuedClaim {
  readonly claim: Claim;
  /** The events that were read together; undefined if one was unreadable, so each is read alone. */
  readonly messages: EventMessages | undefined;
  /** The event to read alone; undefined if `messages` exists. The cache may have dropped it. */
  readonly found: ClaimedEvent | undefined;
  /** The time at which the claim began to wait (monotonic ms). */
  readonly since: number;
  /** The span of the time slice that claimed it; undefined if no event of the slice is in a trace. */
  readonly parent?: TraceContext | undefined;
}

/**
 * The deliveries of one webhook that this process has claimed and not yet recorded. They stay after a time
 * slice ends, because a slow receiver must not hold a slot.
 */
export interface InFlight extends LeaseHolder {
  readonly key: string;
  results: Result[];
  /** Deliveries that were claimed in advance, in the order of sending. */
  queue: QueuedClaim[];
  /** The webhook's URL, headers and secrets at the last claim. */
  target: DeliveryTarget | undefined;
  /** The number of requests in progress. */
  out: number;
  /** The maximum number of requests by the store's last answer. At 0, the store is asked first. */
  wire: number;
  /** The time of the store's last answer (monotonic ms). */
  answeredAt: number;
  /** True when the store's last answer said that more deliveries are waiting than may be sent. */
  waits: boolean;
  /**
   * The number of time slices that work on this webhook. They also record results that arrive meanwhile. At 0,
   * a new result requests a slice.
   */
  slices: number;
  /** The timer of the slice that records results together, after a short wait for others. */
  flushTimer: NodeJS.Timeout | undefined;
  /** A timer that ends the wait of deliveries claimed in advance. */
  returnTimer: NodeJS.Timeout | undefined;
  /** The recent average time of a delivery (ms) at the receiver. `ownMs`: that of this process. */
  wireMs: number;
  ownMs: number;
  /** Ends the wait of `close`. */
  signal: (() => void) | undefined;
}

/**
 * The time (ms) for which the store's answer about a webhook is valid. Deliveries claimed in advance must not
 * go to an old URL, or to a receiver with an open circuit breaker.
 */
export const answerValidMs = 100;

/**
 * The least ratio of allowed requests to unrecorded results. Below it, results are recorded at once;
 * otherwise they may wait to be recorded together.
 */
const leftShare = 4;

export function createInFlightState(
  key: string,
  workspace: Id<'workspace'>,
  webhook: IdSuffix<'webhook'>,
): InFlight {
  return {
    key,
    workspace,
    webhook,
    held: new Map(),
    renewAt: 0,
    results: [],
    queue: [],
    target: undefined,
    out: 0,
    wire: 0,
    answeredAt: 0,
    waits: false,
    slices: 0,
    flushTimer: undefined,
    returnTimer: undefined,
    wireMs: 0,
    ownMs: 0,
    signal: undefined,
  };
}

/** Returns the number of requests that may be in progress without asking the store first. */
export function countAllowedRequests({wire, answeredAt}: InFlight): number {
  return performance.now() - answeredAt < answerValidMs ? wire : 0;
}

/**
 * True if the results must be recorded at once, because something waits for them or for the store's next
 * answer. Otherwise they are recorded a little later, together with others.
 */
export function isRecordingUrgent(inFlight: InFlight): boolean {
  const {results, queue, wire, waits} = inFlight;
  if (queue.length > 0) return countAllowedRequests(inFlight) === 0 || results.length >= wire;
  return results.length > 0 && (waits || areResultsAwaited(inFlight));
}

/**
 * True when a time slice may leave the results to the timer that is already running. Recording takes as long
 * as claiming, and new deliveries only need to be claimed.
 */
export function mayLeaveResultsToFlushTimer(inFlight: InFlight): boolean {
  return inFlight.flushTimer !== undefined && canResultsWait(inFlight) && !isRecordingUrgent(inFlight);
}

/** Returns how long results wait to be recorded together (ms). A kill sends their deliveries again. */
export function computeFlushDelay(inFlight: InFlight): number {
  return canResultsWait(inFlight) ? 20 : 4;
}

/**
 * True when the results are so few that they may be recorded later. Until then, they count as requests in
 * progress, so many of them would stop new requests.
 */
function canResultsWait(inFlight: InFlight): boolean {
  return leftShare * inFlight.results.length <= inFlight.wire && !areResultsAwaited(inFlight);
}

/** True when other deliveries, or a person who is watching, wait for the results to be recorded. */
function areResultsAwaited({results, target}: InFlight): boolean {
  const isOrdered = (target?.settings ?? defaultSettings).ordering === 'per_team';
  return isOrdered || results.some(isResultAwaited);
}

function isResultAwaited({state, claim: {probe, replay}}: Result): boolean {
  return state !== 'succeeded' || probe || replay !== undefined;
}

/** True if the last result came after a slow answer, so that recording it is not urgent. */
export function hasSlowResult({results}: InFlight): boolean {
  return (results.at(-1)?.attempt?.duration_ms ?? 0) > slowMs;
}

/** Gives back claims that have not started, so that any process can claim these deliveries again. */
export function giveBackClaims(inFlight: InFlight, claims: readonly Claim[]): void {
  for (const claim of claims) {
    if (inFlight.held.has(claim))
      inFlight.results.push({claim, state: 'returned', delayMs: 0, charge: 'none', counted: false});
  }
}

export function giveBackQueuedClaims(inFlight: InFlight): void {
  giveBackClaims(
    inFlight,
    inFlight.queue.map(({claim}) => claim),
  );
  inFlight.queue = [];
}

/** Waits until a result has arrived, or for `waitMs` at most. */
export function waitForResult(inFlight: InFlight, waitMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(stopWaiting, waitMs);
    function stopWaiting(): void {
      clearTimeout(timer);
      inFlight.signal = undefined;
      resolve();
    }
    inFlight.signal = stopWaiting;
  });
}
