import {defaultSettings} from '../domain/webhooks/webhook-settings.js';
import type {Claim, Result} from '../store/webhooks/claims.js';
import type {Message, Target} from './attempts.js';
import type {Holder} from './leases.js';
import type {Id, IdSuffix} from '../domain/core/ids.js';

/** Events by the drawn half of their delivery; those that are no longer kept are left out. */
export type Messages = ReadonlyMap<string, Message>;

/** What is known of the event of a delivery, before its body is made. `read`: ends when what that needs has been read. */
export interface Found {
  readonly drawn: IdSuffix<'delivery'>;
  readonly event: NonNullable<Claim['event']>;
  readonly read: Promise<unknown> | undefined;
}

/** A claim whose turn comes when a request of its webhook ends. */
export interface Queued {
  readonly claim: Claim;
  /** Undefined: to be read alone, since some that were claimed with it cannot be. */
  readonly messages: Messages | undefined;
  /** With `messages` undefined; held here, since the process may forget it meanwhile. */
  readonly found: Found | undefined;
  /** Monotonic ms. */
  readonly since: number;
}

/** What this process has in flight for one webhook. It outlives the slices: a slow receiver must not hold a worker's slot. */
export interface Lane extends Holder {
  readonly key: string;
  results: Result[];
  /** Claimed in advance, in the order of their turns. */
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
  /** A slice is at work on this lane and finds what comes in; otherwise results ask for one. */
  atWork: boolean;
  /** Asks for a slice a little later. */
  beat: NodeJS.Timeout | undefined;
  /** Ends the wait of what was claimed in advance. */
  patience: NodeJS.Timeout | undefined;
  /** Of late, how much of the time of a delivery its receiver took (ms), and how much we did. */
  wireMs: number;
  ownMs: number;
  /** Ends the wait of `close`. */
  signal: (() => void) | undefined;
}

/**
 * So long (ms) a lane goes by what the store has said of its webhook: what was claimed in advance goes to where that leads now, and not
 * at all to a receiver that is spared.
 */
export const toldMs = 100;

/** So many requests may be on the wire for each result that is left to be recorded later. */
const leftShare = 4;

export function createLane(key: string, workspace: Id<'workspace'>, webhook: IdSuffix<'webhook'>): Lane {
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
    beat: undefined,
    patience: undefined,
    wireMs: 0,
    ownMs: 0,
    signal: undefined,
  };
}

/** How many requests may be on the wire without asking the store first. */
export function allowedOf({wire, toldAt}: Lane): number {
  return performance.now() - toldAt < toldMs ? wire : 0;
}

/**
 * Whether somebody waits for the results of a lane to be recorded, or for what the store says then. The others are recorded together:
 * as many as may be on the wire, or what comes in within a moment.
 */
export function isUrgent(lane: Lane): boolean {
  const {results, queue, wire, waits} = lane;
  if (queue.length > 0) return allowedOf(lane) === 0 || results.length >= wire;
  return results.length > 0 && (waits || areAwaited(lane));
}

/**
 * True when a turn may leave the results to the beat, which is set. Recording takes as long as claiming, and
 * a delivery that has just been made waits for its claim alone.
 */
export function mayLeave(lane: Lane): boolean {
  return lane.beat !== undefined && canWait(lane) && !isUrgent(lane);
}

/** How long results wait for others to be recorded with (ms). What is not recorded, a kill sends again. */
export function beatOf(lane: Lane): number {
  return canWait(lane) ? 20 : 4;
}

/** True when results are few: until they are recorded they count as requests on the wire, everywhere. */
function canWait(lane: Lane): boolean {
  return leftShare * lane.results.length <= lane.wire && !areAwaited(lane);
}

/** True when deliveries, or somebody who looks on, wait for the results to be recorded. */
function areAwaited({results, target}: Lane): boolean {
  const isOrdered = (target?.settings ?? defaultSettings).ordering === 'per_team';
  return isOrdered || results.some(hasFollowers);
}

function hasFollowers({state, claim: {probe, replay}}: Result): boolean {
  return state !== 'succeeded' || probe || replay !== undefined;
}

/** Gives back what has not begun: whoever has a turn next may claim it. */
export function giveBack(lane: Lane, claims: readonly Claim[]): void {
  for (const claim of claims) {
    if (lane.held.has(claim))
      lane.results.push({claim, state: 'returned', delayMs: 0, charge: 'none', counted: false});
  }
}
