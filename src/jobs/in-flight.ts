import {defaultSettings} from '../domain/webhooks/webhook-settings.js';
import type {Claim, Result} from '../store/webhooks/claims.js';
import type {EventMessage, DeliveryTarget} from './attempts.js';
import type {LeaseHolder} from './leases.js';
import type {Id, IdSuffix} from '../domain/core/ids.js';

/** Events by the id suffix of their delivery; those no longer stored are left out. */
export type EventMessages = ReadonlyMap<string, EventMessage>;

/** The event of a claimed delivery. `read`: ends when all data for its body has been read. */
export interface ClaimedEvent {
  readonly suffix: IdSuffix<'delivery'>;
  readonly event: NonNullable<Claim['event']>;
  readonly read: Promise<unknown> | undefined;
}

/** A claim to be sent when a request of its webhook ends. */
export interface QueuedClaim {
  readonly claim: Claim;
  /** Undefined: to be read alone, since some claimed with it are unreadable. */
  readonly messages: EventMessages | undefined;
  /** Set when `messages` is undefined; kept here, since the process may forget it meanwhile. */
  readonly found: ClaimedEvent | undefined;
  /** Monotonic ms. */
  readonly since: number;
}

/**
 * The deliveries of one webhook that this process has claimed and not recorded. They outlive the slices: a
 * slow receiver must not hold a slot of the gate.
 */
export interface InFlight extends LeaseHolder {
  readonly key: string;
  results: Result[];
  /** Claimed in advance, in sending order. */
  queue: QueuedClaim[];
  /** The target of its requests, as of the last claim. */
  target: DeliveryTarget | undefined;
  /** Requests in progress. */
  out: number;
  /** The maximum number of requests, from the store's last answer; 0: ask the store before the next one. */
  wire: number;
  /** The time of that answer (monotonic ms). */
  answeredAt: number;
  /** True when that answer said that more would go out if there were room. */
  waits: boolean;
  /** True while a slice works on this webhook and finds new results; otherwise results request a slice. */
  atWork: boolean;
  /** Requests a slice for results that have waited for others. */
  flushTimer: NodeJS.Timeout | undefined;
  /** Ends the wait of deliveries claimed in advance. */
  returnTimer: NodeJS.Timeout | undefined;
  /** The recent share of a delivery's time that its receiver took (ms), and that we took. */
  wireMs: number;
  ownMs: number;
  /** Ends the wait of `close`. */
  signal: (() => void) | undefined;
}

/**
 * How long (ms) the store's answer about a webhook is valid: deliveries claimed in advance go to its current
 * address, and not at all to a receiver whose breaker spares it.
 */
export const answerValidMs = 100;

/** The number of requests allowed in progress for each result that is left to be recorded later. */
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
    atWork: false,
    flushTimer: undefined,
    returnTimer: undefined,
    wireMs: 0,
    ownMs: 0,
    signal: undefined,
  };
}

/** The number of requests allowed in progress without asking the store first. */
export function allowedRequestCount({wire, answeredAt}: InFlight): number {
  return performance.now() - answeredAt < answerValidMs ? wire : 0;
}

/**
 * Whether another delivery or a person waits for the results to be recorded, or for the store's next answer.
 * Other results are recorded together: as many as may be in progress, or those that arrive within a moment.
 */
export function isUrgent(inFlight: InFlight): boolean {
  const {results, queue, wire, waits} = inFlight;
  if (queue.length > 0) return allowedRequestCount(inFlight) === 0 || results.length >= wire;
  return results.length > 0 && (waits || areResultsAwaited(inFlight));
}

/**
 * True when a slice may leave the results to the flush timer, which is set. Recording takes as long as
 * claiming, and a new delivery waits only for its claim.
 */
export function mayLeaveToFlushTimer(inFlight: InFlight): boolean {
  return inFlight.flushTimer !== undefined && canResultsWait(inFlight) && !isUrgent(inFlight);
}

/**
 * How long results wait for others to be recorded with (ms). After a kill, unrecorded ones are sent again.
 */
export function flushDelay(inFlight: InFlight): number {
  return canResultsWait(inFlight) ? 20 : 4;
}

/**
 * True when results are few: until they are recorded they count as requests in progress, in every process.
 */
function canResultsWait(inFlight: InFlight): boolean {
  return leftShare * inFlight.results.length <= inFlight.wire && !areResultsAwaited(inFlight);
}

/** True when other deliveries, or a person watching, wait for the results to be recorded. */
function areResultsAwaited({results, target}: InFlight): boolean {
  const isOrdered = (target?.settings ?? defaultSettings).ordering === 'per_team';
  return isOrdered || results.some(isResultAwaited);
}

function isResultAwaited({state, claim: {probe, replay}}: Result): boolean {
  return state !== 'succeeded' || probe || replay !== undefined;
}

/** Gives back claims that have not begun: the next slice for the webhook, in any process, may claim them. */
export function giveBackClaims(inFlight: InFlight, claims: readonly Claim[]): void {
  for (const claim of claims) {
    if (inFlight.held.has(claim))
      inFlight.results.push({claim, state: 'returned', delayMs: 0, charge: 'none', counted: false});
  }
}

/** Gives back all deliveries claimed in advance. */
export function giveBackQueuedClaims(inFlight: InFlight): void {
  giveBackClaims(
    inFlight,
    inFlight.queue.map(({claim}) => claim),
  );
  inFlight.queue = [];
}

/** Waits until a result has arrived, or this much time has passed. */
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
