import {z} from 'zod';
import {type EventType, eventTypes, type LogEntry} from '../events/event.js';
import {lifetimes, limits} from '../core/limits.js';
import {id, type Infer, instant, instantMember, open} from '../core/schemas.js';
import type {Sha256} from './delivery.js';
import {composeId, suffixFromBytes, type Id, suffixWithSequence, type IdSuffix} from '../core/ids.js';
import {toInstant} from '../core/dates.js';

const replayOnly = ['failed', 'missed', 'all'] as const;

/** The events that a replay sends: failed ones, those missed while disabled, or all. */
export type ReplayOnly = (typeof replayOnly)[number];

export type ReplayState = 'running' | 'completed' | 'cancelled';

/**
 * The largest number of unfinished deliveries of a replay. It leaves space for new events, and lets a
 * cancelled replay end soon.
 */
export const replayAhead = 240;

const count = z.int().min(0);
const daysBack = lifetimes.delivery / (24 * 3_600);

const onlyText = `\`failed\`: all deliveries of the event have ended without success. \`missed\`: no delivery was created, because the webhook was disabled. \`all\`: every event, including those that have arrived.`;

export const replaySchema = z
  .object({
    id: id('replay'),
    object: z.literal('replay'),
    webhook_id: id('webhook'),
    since: instant.meta({description: 'The start of the period of the events, inclusive.'}),
    until: instant.meta({description: 'The end of the period of the events, inclusive.'}),
    types: z
      .array(open<EventType>())
      .nullable()
      .meta({description: 'The types of the events. Null: all types of the webhook.'}),
    only: open<ReplayOnly>({description: `Which events are sent. ${onlyText}`}),
    dry_run: z.boolean().meta({description: 'Whether the replay only counts; nothing is sent.'}),
    state: open<ReplayState | 'waiting'>({
      description:
        'The state: `running`, then `completed` (every event read and every delivery ended) or `cancelled`. `waiting`: the workspace has used up its share of the store; the replay continues automatically when there is room. More values may be added.',
    }),
    progress: z
      .object({
        scanned: count.meta({description: 'The number of events read.'}),
        total: count.meta({description: 'The number of events in the period, of all types.'}),
        matched: count.meta({
          description: 'The number of deliveries created. In a dry run, the number that would be created.',
        }),
        succeeded: count,
        failed: count.meta({
          description: 'The number of deliveries that ended without success, including cancelled ones.',
        }),
      })
      .meta({description: 'The progress.'}),
    created_at: instant,
    ended_at: instant.nullable(),
  })
  .meta({
    id: 'Replay',
    description: `Events of a period, sent to one webhook again. At most ${replayAhead} of its deliveries are unfinished at a time. It changes too often for an \`ETag\`.`,
  });

export const newReplaySchema = z
  .strictObject({
    since: instantMember.meta({
      description: `The start of the period, inclusive, at most ${daysBack} days back: a delivery expires that long after its event.`,
    }),
    until: instantMember.optional().meta({
      description:
        'The end of the period, inclusive. The default is now; an instant in the future means now.',
    }),
    types: z
      .array(z.enum(eventTypes, 'must be an event type such as "standup.created"'))
      .min(1, 'must name at least one event type, such as "standup.created", or be null for all')
      .max(limits.webhookEvents, `has at most ${limits.webhookEvents} event types`)
      .nullable()
      .optional()
      .meta({description: 'The types of events to send. Null or left out: all types of the webhook.'}),
    only: z
      .enum(replayOnly, `must be one of ${replayOnly.join(', ')}`)
      .optional()
      .meta({default: 'failed', description: `Which events are sent. ${onlyText}`}),
    dry_run: z.boolean().optional().meta({
      default: false,
      description: 'Whether to only count the deliveries. This works while the webhook is disabled, too.',
    }),
  })
  .meta({id: 'NewReplay', description: 'The events to send again.'});

/** A replay: events of a period that are sent to one webhook again. */
export type Replay = Infer<typeof replaySchema>;

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

/** An earlier delivery of an event to the webhook of a replay. */
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

/** Returns the id suffix of a replay's delivery: the same for the same replay, event and webhook. */
export function createReplayedDeliverySuffix(
  sha256: Sha256,
  replay: IdSuffix<'replay'>,
  {id, sequence}: Pick<LogEntry, 'id' | 'sequence'>,
  webhook: IdSuffix<'webhook'>,
): IdSuffix<'delivery'> {
  const start = suffixFromBytes(sha256(`${replay} ${id} ${webhook}`).subarray(0, 10));
  return suffixWithSequence(start, sequence);
}
