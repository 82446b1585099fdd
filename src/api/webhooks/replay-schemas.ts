import {z} from 'zod';
import {eventTypes} from '../../domain/events/event.js';
import {lifetimes, limits} from '../../domain/core/limits.js';
import {replayAhead, replayOnly} from '../../domain/webhooks/replay.js';
import {id, instant, instantMember} from '../../domain/core/schemas.js';

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
      .array(z.string())
      .nullable()
      .meta({description: 'The types of the events. Null: all types of the webhook.'}),
    only: z.string().meta({description: `Which events are sent. ${onlyText}`}),
    dry_run: z.boolean().meta({description: 'Whether the replay only counts; nothing is sent.'}),
    state: z.string().meta({
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
