import {z} from 'zod';
import {id} from '../../domain/core/schemas.js';
import {eventTypes} from '../../domain/events/event.js';
import {deliveryStates} from '../../domain/webhooks/delivery.js';
import {instantParameter, pageParameters} from '../http/shared-schemas.js';

export const deliveriesQuerySchema = z.strictObject({
  ...pageParameters,
  state: z
    .enum(deliveryStates, `must be one of ${deliveryStates.join(', ')}`)
    .optional()
    .meta({description: 'Only deliveries in this state.'}),
  event_type: z
    .enum(eventTypes, 'must be an event type such as "standup.created"')
    .optional()
    .meta({description: 'Only deliveries of events of this type.'}),
  since: instantParameter
    .optional()
    .meta({description: 'Only deliveries of events at or after this instant.'}),
  until: instantParameter
    .optional()
    .meta({description: 'Only deliveries of events at or before this instant.'}),
  event: id('event').optional().meta({description: 'Only deliveries of this event.'}),
  replay: id('replay').optional().meta({description: 'Only deliveries created by this replay.'}),
});
