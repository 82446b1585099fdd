import {z} from 'zod';
import {scopes} from '../../domain/core/access.js';
import {eventSchema} from './schemas.js';

export const eventTypeSchema = z
  .object({
    type: z.string().meta({description: 'The name, as in `type` of an event and `events` of a webhook.'}),
    object: z.literal('event_type'),
    group: z.string().meta({
      description: 'The pattern of all types of its noun, including future ones: `standup.*`.',
    }),
    description: z.string().meta({description: 'When the event occurs.'}),
    subject: z.string().meta({description: 'The `object` of the resource in `data`.'}),
    scope: z.enum(scopes).meta({
      description:
        'The scope that a token needs to read the resource, and to get its changes by `GET /v1/changes/stream`.',
    }),
    api_version: z.string().meta({description: 'The version of the API for `data`.'}),
    shows_previous: z.boolean().meta({description: 'Whether such events have `previous_attributes`.'}),
    example: eventSchema.meta({
      description: 'An event of this type, as in the feed, the stream and webhooks.',
    }),
  })
  .meta({id: 'EventType', description: 'A type of event. Types can be added; none is removed.'});
