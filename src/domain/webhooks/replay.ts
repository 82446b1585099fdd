import type {EventType, LogEntry} from '../events/event.js';
import type {Sha256} from './delivery.js';
import {composeId, suffixFromBytes, type Id, suffixWithSequence, type IdSuffix} from '../core/ids.js';
import {toInstant} from '../core/dates.js';

export const replayOnly = ['failed', 'missed', 'all'] as const;

/**
 * The events that a replay sends: those whose deliveries failed, those without a delivery because the webhook
 * was disabled, or all.
 */
export type ReplayOnly = (typeof replayOnly)[number];

export type ReplayState = 'running' | 'completed' | 'cancelled';

/** A replay: events of a period that are sent to one webhook again. */
export interface Replay {
  readonly id: Id<'replay'>;
  readonly object: 'replay';
  readonly webhook_id: Id<'webhook'>;
  /** The start of the period. Both ends are included. */
  readonly since: string;
  readonly until: string;
  /** The event types; null for all that the webhook subscribes to. */
  readonly types: readonly EventType[] | null;
  readonly only: ReplayOnly;
  readonly dry_run: boolean;
  readonly state: ReplayState | 'waiting';
  readonly progress: {
    /** The number of examined events. `total`: the number of all events in the period. */
    readonly scanned: number;
    readonly total: number;
    /** The number of created deliveries (in a dry run, those that would be created), and of their results. */
    readonly matched: number;
    readonly succeeded: number;
    readonly failed: number;
  };
  readonly created_at: string;
  readonly ended_at: string | null;
}

/** The plan of a replay. Instants are in ms. */
export interface ReplayPlan {
  readonly webhook: Id<'webhook'>;
  readonly since: number;
  readonly until: number;
  readonly types: readonly EventType[] | null;
  readonly only: ReplayOnly;
  readonly dryRun: boolean;
  /** The numbers of the first and the last event of the period. `last` is smaller when there is no event. */
  readonly first: number;
  readonly last: number;
}

export interface ReplayProgress {
  readonly state: ReplayState;
  /** True while the workspace has no space for more deliveries. */
  readonly isWaiting: boolean;
  /** The number of the last examined event. */
  readonly cursor: number;
  readonly matched: number;
  readonly succeeded: number;
  readonly failed: number;
  /** The end of the replay (ms); undefined while it runs. */
  readonly endedAt: number | undefined;
}

/**
 * The largest number of unfinished deliveries of a replay. It leaves space for new events, and lets a
 * cancelled replay end soon.
 */
export const replayAhead = 240;

/** Presents a replay. `at` is its creation time (ms). */
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

export function createReplay(suffix: IdSuffix<'replay'>, plan: ReplayPlan, at: number): Replay {
  const cursor = plan.first - 1;
  const nothing = {isWaiting: false, matched: 0, succeeded: 0, failed: 0, endedAt: undefined};
  return presentReplay(suffix, plan, at, {state: 'running', cursor, ...nothing});
}

/**
 * An earlier delivery of an event to the webhook of a replay, with its stored state and the number of
 * attempts.
 */
export interface EarlierDelivery {
  readonly state: string;
  readonly attempts: number;
}

const failures: ReadonlySet<string> = new Set(['exhausted', 'aborted', 'expired']);

/**
 * True when a replay sends an event again, depending on all earlier deliveries of the event. A delivery that
 * a cancelled replay withdrew before its first attempt does not count.
 */
export function isSelectedForReplay(only: ReplayOnly, earlier: readonly EarlierDelivery[]): boolean {
  if (only === 'all') return true;
  const made = earlier.filter(({state, attempts}) => state !== 'aborted' || attempts > 0);
  if (only === 'missed') return made.length === 0;
  return made.length > 0 && made.every(({state}) => failures.has(state));
}

/**
 * Returns the id suffix of a replay's delivery. It is always the same for the same replay, event and webhook.
 */
export function createReplayedDeliverySuffix(
  sha256: Sha256,
  replay: IdSuffix<'replay'>,
  {id, sequence}: Pick<LogEntry, 'id' | 'sequence'>,
  webhook: IdSuffix<'webhook'>,
): IdSuffix<'delivery'> {
  const start = suffixFromBytes(sha256(`${replay} ${id} ${webhook}`).subarray(0, 10));
  return suffixWithSequence(start, sequence);
}
