import {defaultSettings} from '../domain/webhooks/webhook-settings.js';
import type {Claim, Result} from '../store/webhooks/claims.js';
import type {Message, Target} from './attempts.js';
import type {Holder} from './leases.js';
import type {Id, IdSuffix} from '../domain/core/ids.js';

/** Events by the suffix of their delivery's id; those that are no longer kept are left out. */
export type Messages = ReadonlyMap<string, Message>;

/** The event of a claimed delivery. `read`: ends when all that its body needs has been read. */
export interface ClaimedEvent {
  readonly drawn: IdSuffix<'delivery'>;
  readonly event: NonNullable<Claim['event']>;
  readonly read: Promise<unknown> | undefined;
}

/** A claim that is sent when a request of its webhook ends. */
export interface Queued {
  readonly claim: Claim;
  /** Undefined: to be read alone, since some that were claimed with it cannot be. */
  readonly messages: Messages | undefined;
  /** With `messages` undefined; held here, since the process may forget it meanwhile. */
  readonly found: ClaimedEvent | undefined;
  /** Monotonic ms. */
  readonly since: number;
}

/**
 * One webhook's deliveries that this process has claimed and not recorded. They outlive the turns: a slow
 * receiver must not hold a slot of the gate.
 */
export interface InFlight extends Holder {
  readonly key: string;
  results: Result[];
  /** Claimed in advance, in the order in which they go out. */
  queue: Queued[];
  /** Where its requests go, as the last claim found it. */
  target: Target | undefined;
  /** Requests on the wire. */
  out: number;
  /** How many there may be, as the store last said; 0: before the next one it must be asked. */
  wire: number;
  /** When it said so (monotonic ms). */
  toldAt: number;
  /** It said, too, that more would go out if there were room. */
  waits: boolean;
  /** A turn is at work on this webhook and finds what comes in; otherwise results ask for one. */
  atWork: boolean;
  /** Asks for a turn that records results which have waited for others. */
  flushTimer: NodeJS.Timeout | undefined;
  /** Ends the wait of what was claimed in advance. */
  returnTimer: NodeJS.Timeout | undefined;
  /** Of late, how much of the time of a delivery its receiver took (ms), and how much we did. */
  wireMs: number;
  ownMs: number;
  /** Ends the wait of `close`. */
  signal: (() => void) | undefined;
}

/**
 * So long (ms) holds what the store has said of a webhook: what was claimed in advance goes to where that
 * leads now, and not at all to a receiver that is spared.
 */
export const toldMs = 100;

/** So many requests may be on the wire for each result that is left to be recorded later. */
const leftShare = 4;

export function createInFlight(
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
    toldAt: 0,
    waits: false,
    atWork: false,
    flushTimer: undefined,
    returnTimer: undefined,
    wireMs: 0,
    ownMs: 0,
    signal: undefined,
  };
}

/** How many requests may be on the wire without asking the store first. */
export function allowedOf({wire, toldAt}: InFlight): number {
  return performance.now() - toldAt < toldMs ? wire : 0;
}

/**
 * Whether somebody waits for the results to be recorded, or for what the store says then. The others are
 * recorded together: as many as may be on the wire, or what comes in within a moment.
 */
export function isUrgent(inFlight: InFlight): boolean {
  const {results, queue, wire, waits} = inFlight;
  if (queue.length > 0) return allowedOf(inFlight) === 0 || results.length >= wire;
  return results.length > 0 && (waits || areAwaited(inFlight));
}

/**
 * True when a turn may leave the results to the flush timer, which is set. Recording takes as long as
 * claiming, and a delivery that has just been made waits for its claim alone.
 */
export function mayLeave(inFlight: InFlight): boolean {
  return inFlight.flushTimer !== undefined && canWait(inFlight) && !isUrgent(inFlight);
}

/** How long results wait for others to be recorded with (ms). A kill sends again what is not recorded. */
export function flushDelay(inFlight: InFlight): number {
  return canWait(inFlight) ? 20 : 4;
}

/** True when results are few: until they are recorded they count as requests on the wire, everywhere. */
function canWait(inFlight: InFlight): boolean {
  return leftShare * inFlight.results.length <= inFlight.wire && !areAwaited(inFlight);
}

/** True when deliveries, or somebody who looks on, wait for the results to be recorded. */
function areAwaited({results, target}: InFlight): boolean {
  const isOrdered = (target?.settings ?? defaultSettings).ordering === 'per_team';
  return isOrdered || results.some(hasFollowers);
}

function hasFollowers({state, claim: {probe, replay}}: Result): boolean {
  return state !== 'succeeded' || probe || replay !== undefined;
}

/** Gives claims back that have not begun: the next turn on the webhook, in any process, may claim them. */
export function giveBack(inFlight: InFlight, claims: readonly Claim[]): void {
  for (const claim of claims) {
    if (inFlight.held.has(claim))
      inFlight.results.push({claim, state: 'returned', delayMs: 0, charge: 'none', counted: false});
  }
}

/** Gives back all that was claimed in advance. */
export function giveBackQueued(inFlight: InFlight): void {
  giveBack(
    inFlight,
    inFlight.queue.map(({claim}) => claim),
  );
  inFlight.queue = [];
}

/** Until a result has come in, or so much time has passed. */
export function untilResult(inFlight: InFlight, waitMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, waitMs);
    function done(): void {
      clearTimeout(timer);
      inFlight.signal = undefined;
      resolve();
    }
    inFlight.signal = done;
  });
}
