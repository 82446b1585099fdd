import {z} from 'zod';
import {eventPatterns, eventTypes} from '../../domain/event.js';
import {limits} from '../../domain/limits.js';
import {id, instant} from './shared.js';

export const eventSchema = z
  .object({
    id: id('event'),
    object: z.literal('event'),
    type: z
      .string()
      .meta({description: `Open list; now: ${eventTypes.map((type) => `\`${type}\``).join(', ')}.`}),
    timestamp: instant,
    sequence: z.int().meta({description: 'Counts the events of the workspace without a gap.'}),
    workspace: id('workspace'),
    api_version: z.string(),
    data: z.record(z.string(), z.unknown()).nullable().meta({
      description: 'The resource as the API showed it after the change; null when it has been erased.',
    }),
    previous_attributes: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({description: 'Only in changes: what differed before.'}),
  })
  .meta({id: 'Event', description: 'A fact that happened. The same bytes in webhooks and in this feed.'});

export const streamQuerySchema = z.strictObject({
  after: z.string().optional().meta({description: 'A cursor of the feed: the stream goes on from there.'}),
  types: z
    .string()
    .transform((list) => list.split(','))
    .refine(
      (types) => types.length <= limits.webhookEvents && types.every((type) => eventPatterns.includes(type)),
      'must be event types such as "standup.created" or "standup.*", with commas between them',
    )
    .optional()
    .meta({description: 'Only events of these types, with commas between them: `standup.*,team.created`.'}),
});
