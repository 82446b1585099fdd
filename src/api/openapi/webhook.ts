import type {EventType} from '../../domain/event.js';
import {eventExample} from '../examples/events.js';
import {eventSchema} from '../schemas/events.js';
import type {Components, Json} from './components.js';

/** What a receiver is sent for one type of event. */
export function describeWebhook(type: EventType, components: Components): Json {
  return {
    post: {
      summary: type,
      operationId: `on_${type.replaceAll('.', '_')}`,
      description: 'Signed as Standard Webhooks: `webhook-id`, `webhook-timestamp`, `webhook-signature`.',
      requestBody: {
        content: {
          'application/json': {
            schema: components.schema(eventSchema),
            example: eventExample(type),
          },
        },
      },
      responses: {'2XX': {description: 'Received. Anything else is tried again.'}},
    },
  };
}
