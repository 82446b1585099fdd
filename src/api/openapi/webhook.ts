import type {EventType} from '../../domain/events/event.js';
import {eventMeanings} from '../../domain/events/event-types.js';
import {createEventExample} from '../events/examples.js';
import {exampleIds} from '../examples/ids.js';
import {createEventSchema, thinEventSchema} from '../events/schemas.js';
import type {Components, JsonObject} from './components.js';
import {webhookTag} from './tags.js';

const headers: readonly (readonly [name: string, description: string, example: string])[] = [
  ['webhook-id', 'Id of the event, the same on every attempt. Drop duplicates.', exampleIds.event],
  [
    'webhook-timestamp',
    'When this attempt was signed, in Unix seconds. Reject requests older than five minutes.',
    '1795424400',
  ],
  [
    'webhook-signature',
    'HMAC-SHA256 over `id.timestamp.body` as `v1,<base64>`. During a rotation there are two or more, separated by spaces. With `v1a` in the `signature_versions` of the webhook, `v1a,<base64>` is added: Ed25519 over the same.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ],
  ['standup-delivery', 'Id of the delivery.', exampleIds.delivery],
  ['standup-attempt', 'Number of the attempt, from 1.', '1'],
  [
    'standup-sequence',
    'The number of the delivery of this webhook, without a gap. Absent if the event has no number, for example in a replay of events that happened while the webhook was disabled.',
    '12',
  ],
];

/** Headers that are missing in deliveries created before the header was introduced. */
const optional: readonly string[] = ['standup-sequence'];

/** Describes the request that a receiver gets for one type of event. */
export function describeWebhook(type: EventType, components: Components): JsonObject {
  return {
    post: {
      summary: type,
      operationId: `on_${type.replaceAll('.', '_')}`,
      description: `${eventMeanings[type]}\n\nSigned as [Standard Webhooks](https://www.standardwebhooks.com): verify the body before you trust it.`,
      tags: [webhookTag],
      security: [],
      parameters: headers.map(([name, description, example]) =>
        components.referParameter({
          name,
          in: 'header',
          required: !optional.includes(name),
          description,
          schema: {type: 'string'},
          example,
        }),
      ),
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: {
              anyOf: [components.schema(createEventSchema(type)), components.schema(thinEventSchema)],
              description: 'The event, as in the feed. It is thin for a webhook with the `payload` `thin`.',
            },
            example: createEventExample(type),
          },
        },
      },
      responses: {
        '2XX': {description: 'Received. The body is ignored.'},
        default: {
          description:
            'The delivery is retried, also after a redirect or no response: after 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 h, or by the `retry_schedule` of the webhook. `Retry-After` is respected up to 24 h. `webhook-delivery: abort` ends this delivery; 410, or any response with `webhook-delivery: disable`, disables the webhook with the reason `gone`.',
        },
      },
    },
  };
}
