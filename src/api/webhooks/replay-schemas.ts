import {z} from 'zod';
import {eventTypes} from '../../domain/events/event.js';
import {lifetimes, limits} from '../../domain/core/limits.js';
import {replayAhead, replayOnly} from '../../domain/webhooks/replay.js';
import {id, instant, instantMember} from '../http/shared-schemas.js';

const count = z.int().min(0);
const daysBack = lifetimes.delivery / (24 * 3_600);

const onlyText = `\`failed\`: all deliveries of it so far have ended without success. \`missed\`: none was ever made, since the webhook was disabled. \`all\`: every event, those that have arrived too.`;

export const replaySchema = z
  .object({
    id: id('replay'),
    object: z.literal('replay'),
    webhook_id: id('webhook'),
    since: instant.meta({description: 'Of the events; inclusive.'}),
    until: instant.meta({description: 'Of the events; inclusive.'}),
    types: z.array(z.string()).nullable().meta({description: 'Null: all that the webhook asks for.'}),
    only: z.string().meta({description: onlyText}),
    dry_run: z.boolean().meta({description: 'It only counts; nothing is sent.'}),
    state: z.string().meta({
      description:
        '`running`, then `completed` (every event looked at and every delivery ended) or `cancelled`. `waiting`: the workspace has used up its share of the store, and it goes on by itself once there is room. An open list.',
    }),
    progress: z
      .object({
        scanned: count.meta({description: 'Events looked at.'}),
        total: count.meta({description: 'Events of that time, of all types.'}),
        matched: count.meta({description: 'Deliveries made; in a dry run, that would have been.'}),
        succeeded: count,
        failed: count.meta({
          description: 'Those that ended without success, those taken back by a cancellation included.',
        }),
      })
      .meta({description: 'How far it has come.'}),
    created_at: instant,
    ended_at: instant.nullable(),
  })
  .meta({
    id: 'Replay',
    description: `Events of some time, sent to one webhook again. At most ${replayAhead} of its deliveries are unfinished at a time. It changes too often for an \`ETag\`.`,
  });

export const newReplaySchema = z
  .strictObject({
    since: instantMember.meta({
      description: `Events from then on, at most ${daysBack} days back: a delivery expires that long after its event.`,
    }),
    until: instantMember
      .optional()
      .meta({description: 'Events up to then; now when left out, or when it lies in the future.'}),
    types: z
      .array(z.enum(eventTypes, 'must be an event type such as "standup.created"'))
      .min(1, 'must name at least one event type, such as "standup.created", or be null for all')
      .max(limits.webhookEvents, `has at most ${limits.webhookEvents} event types`)
      .nullable()
      .optional()
      .meta({description: 'Only these, of those that the webhook asks for. Null or left out: all of them.'}),
    only: z
      .enum(replayOnly, `must be one of ${replayOnly.join(', ')}`)
      .optional()
      .meta({default: 'failed', description: `Which events. ${onlyText}`}),
    dry_run: z
      .boolean()
      .optional()
      .meta({default: false, description: 'Counts what would be sent, also while the webhook is disabled.'}),
  })
  .meta({id: 'NewReplay', description: 'Which events are sent again.'});
