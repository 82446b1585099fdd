import type {EventType} from '../../domain/events/event.js';
import {eventMeanings} from '../../domain/events/event-types.js';
import {eventExample} from '../events/examples.js';
import {exampleIds} from '../examples/ids.js';
import {eventSchemaOf, thinEventSchema} from '../events/schemas.js';
import type {Components, Json} from './components.js';
import {webhookTag} from './tags.js';

const headers: readonly (readonly [name: string, description: string, example: string])[] = [
  ['webhook-id', 'Id of the event, the same on every attempt: drop what you have seen.', exampleIds.event],
  [
    'webhook-timestamp',
    'When this attempt was signed, in Unix seconds: refuse what is older than five minutes.',
    '1795424400',
  ],
  [
    'webhook-signature',
    'HMAC-SHA256 over `id.timestamp.body` as `v1,<base64>`; two of them, separated by a space, while a secret is being rotated. With `v1a` among the `signature_versions` of the webhook also `v1a,<base64>`, Ed25519 over the same.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ],
  ['standup-delivery', 'Id of the delivery.', exampleIds.delivery],
  ['standup-attempt', 'Number of the attempt, from 1.', '1'],
  [
    'standup-sequence',
    'Counts the deliveries made for this webhook, without a gap. Absent where the event has no number, as in a replay of what came while the webhook was disabled.',
    '12',
  ],
];

/** Headers that deliveries from before their introduction lack. */
const optional: readonly string[] = ['standup-sequence'];

/** The request to a receiver for one type of event. */
export function describeWebhook(type: EventType, components: Components): Json {
  return {
    post: {
      summary: type,
      operationId: `on_${type.replaceAll('.', '_')}`,
      description: `${eventMeanings[type]}\n\nSigned as [Standard Webhooks](https://www.standardwebhooks.com): verify the body before you trust it.`,
      tags: [webhookTag],
      security: [],
      parameters: headers.map(([name, description, example]) =>
        components.refer('parameters', name, () => ({
          name,
          in: 'header',
          required: !optional.includes(name),
          description,
          schema: {type: 'string'},
          example,
        })),
      ),
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: {
              anyOf: [components.schema(eventSchemaOf(type)), components.schema(thinEventSchema)],
              description: 'As the feed shows the event; thin for a webhook with the `payload` `thin`.',
            },
            example: eventExample(type),
          },
        },
      },
      responses: {
        '2XX': {description: 'Received. The body does not matter.'},
        default: {
          description:
            'Tried again, also after a redirect or no answer: after 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 h, or as the `retry_schedule` of the webhook says. `Retry-After` is honoured up to 24 h. `webhook-delivery: abort` ends this delivery; 410, or any answer with `webhook-delivery: disable`, disables the webhook with the reason `gone`.',
        },
      },
    },
  };
}
