import {z} from 'zod';
import {scopes} from '../../domain/core/access.js';
import {eventSchema} from './schemas.js';

export const eventTypeSchema = z
  .object({
    type: z.string().meta({description: 'As `type` of an event and `events` of a webhook have it.'}),
    object: z.literal('event_type'),
    group: z.string().meta({
      description: 'The pattern that stands for all types of its noun, those to come too: `standup.*`.',
    }),
    description: z.string().meta({description: 'When it happens.'}),
    subject: z.string().meta({description: '`object` of the resource that `data` shows.'}),
    scope: z.enum(scopes).meta({
      description:
        'What a token needs to read that resource again, and to be told of it by `GET /v1/changes/stream`.',
    }),
    api_version: z.string().meta({description: 'The version whose shapes `data` has.'}),
    shows_previous: z.boolean().meta({description: 'Whether it has `previous_attributes`.'}),
    example: eventSchema.meta({description: 'An event of this type, as feed, stream and webhooks have it.'}),
  })
  .meta({id: 'EventType', description: 'A type of event. Types are added; none is taken away.'});
