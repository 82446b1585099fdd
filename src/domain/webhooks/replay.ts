import type {EventType, LogEntry} from '../events/event.js';
import type {Sha256} from './delivery.js';
import {composeId, suffixFromBytes, type Id, suffixWithSequence, type IdSuffix} from '../core/ids.js';
import {toInstant} from '../core/dates.js';

export const replayOnly = ['failed', 'missed', 'all'] as const;

/**
 * The events that are sent again: those that failed for good, those never queued (the webhook was disabled),
 * or all.
 */
export type ReplayOnly = (typeof replayOnly)[number];

export type ReplayState = 'running' | 'completed' | 'cancelled';

/** Events of a period, sent to one webhook again. */
export interface Replay {
  readonly id: Id<'replay'>;
  readonly object: 'replay';
  readonly webhook_id: Id<'webhook'>;
  /** The period of the events, both ends inclusive. */
  readonly since: string;
  readonly until: string;
  /** Null for all types that the webhook asks for. */
  readonly types: readonly EventType[] | null;
  readonly only: ReplayOnly;
  readonly dry_run: boolean;
  readonly state: ReplayState | 'waiting';
  readonly progress: {
    /** Events looked at, of how many in that time. */
    readonly scanned: number;
    readonly total: number;
    /** Deliveries made (in a dry run: that would have been made), and their results. */
    readonly matched: number;
    readonly succeeded: number;
    readonly failed: number;
  };
  readonly created_at: string;
  readonly ended_at: string | null;
}

/** The request of a replay. Instants in ms. */
export interface ReplayPlan {
  readonly webhook: Id<'webhook'>;
  readonly since: number;
  readonly until: number;
  readonly types: readonly EventType[] | null;
  readonly only: ReplayOnly;
  readonly dryRun: boolean;
  /** Sequences of the first and the last event of that time; `last` is the smaller one when there is none. */
  readonly first: number;
  readonly last: number;
}

export interface ReplayProgress {
  readonly state: ReplayState;
  /** Its workspace had no room for its next deliveries. */
  readonly isWaiting: boolean;
  /** Sequence of the last event looked at. */
  readonly cursor: number;
  readonly matched: number;
  readonly succeeded: number;
  readonly failed: number;
  /** ms; undefined while it runs. */
  readonly endedAt: number | undefined;
}

/**
 * Most deliveries of a replay that are unfinished at a time: a cancelled replay is soon over, and live events
 * find room.
 */
export const replayAhead = 240;

/** A replay as it is shown; `at` is when it was made (ms). */
export function presentReplay(
  suffix: IdSuffix<'replay'>,
  plan: ReplayPlan,
  at: number,
  progress: ReplayProgress,
): Replay {
  const total = Math.max(0, plan.last - plan.first + 1);
  const {state, isWaiting, cursor, matched, succeeded, failed, endedAt} = progress;
  return {
    id: composeId('replay', at, suffix),
    object: 'replay',
    webhook_id: plan.webhook,
    since: toInstant(plan.since),
    until: toInstant(plan.until),
    types: plan.types,
    only: plan.only,
    dry_run: plan.dryRun,
    state: state === 'running' && isWaiting ? 'waiting' : state,
    progress: {scanned: Math.min(total, cursor - plan.first + 1), total, matched, succeeded, failed},
    created_at: toInstant(at),
    ended_at: endedAt === undefined ? null : toInstant(endedAt),
  };
}

export function newReplay(suffix: IdSuffix<'replay'>, plan: ReplayPlan, at: number): Replay {
  const cursor = plan.first - 1;
  const nothing = {isWaiting: false, matched: 0, succeeded: 0, failed: 0, endedAt: undefined};
  return presentReplay(suffix, plan, at, {state: 'running', cursor, ...nothing});
}

/**
 * An earlier delivery of an event to the webhook of a replay: its stored state and the number of recorded
 * attempts.
 */
export interface EarlierDelivery {
  readonly state: string;
  readonly attempts: number;
}

const failures: ReadonlySet<string> = new Set(['exhausted', 'aborted', 'expired']);

/**
 * True when an event that the webhook asks for is sent again, by its deliveries so far, those of earlier
 * replays included. A delivery that a cancelled replay took back before its first attempt counts as never
 * made.
 */
export function isSelectedForReplay(only: ReplayOnly, earlier: readonly EarlierDelivery[]): boolean {
  if (only === 'all') return true;
  const made = earlier.filter(({state, attempts}) => state !== 'aborted' || attempts > 0);
  if (only === 'missed') return made.length === 0;
  return made.length > 0 && made.every(({state}) => failures.has(state));
}

/**
 * Id suffix of a replay's delivery of an event to a webhook: the same, however often it is made. Replay and
 * webhook are given by their id suffixes.
 */
export function replayedDeliverySuffix(
  sha256: Sha256,
  replay: IdSuffix<'replay'>,
  {id, sequence}: Pick<LogEntry, 'id' | 'sequence'>,
  webhook: IdSuffix<'webhook'>,
): IdSuffix<'delivery'> {
  const start = suffixFromBytes(sha256(`${replay} ${id} ${webhook}`).subarray(0, 10));
  return suffixWithSequence(start, sequence);
}
