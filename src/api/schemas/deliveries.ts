import {z} from 'zod';
import {deliveryStates} from '../../domain/delivery.js';
import {eventTypes} from '../../domain/event.js';
import {limits} from '../../domain/limits.js';
import {id, instant, pageParameters} from './shared.js';

const milliseconds = z.int().min(0);

const attemptSummarySchema = z
  .object({
    id: id('attempt'),
    object: z.literal('attempt'),
    number: z.int().min(1).meta({description: 'Counts the attempts of the delivery from 1.'}),
    at: instant.meta({description: 'When it began.'}),
    duration_ms: milliseconds.meta({description: 'From the beginning to the end of the answer.'}),
    connect_ms: milliseconds.nullable().meta({
      description:
        'Until a connection was at hand: name, TCP and TLS. About 0 on one that was kept; null when there was none.',
    }),
    first_byte_ms: milliseconds.nullable().meta({
      description: "Until the response's headers had come; null when none came.",
    }),
    status: z.int().nullable().meta({description: 'HTTP status; null when no answer came.'}),
    error: z.string().nullable().meta({
      description:
        'Null when it succeeded. Otherwise, as an open list: `status` (an answer that is no 2xx), `timeout`, `dns_failed`, `connection_failed`, `connection_closed`, `tls_failed`, `invalid_response`, `interrupted`.',
    }),
  })
  .meta({id: 'AttemptSummary', description: 'One HTTP request of a delivery.'});

export const attemptSchema = attemptSummarySchema
  .extend({
    response_excerpt: z
      .string()
      .nullable()
      .meta({
        description: `Beginning of the response's body as text: 1 KiB, of failures 4 KiB. Kept for the last ${limits.excerptsPerWebhook} attempts of a webhook that had one; null otherwise.`,
      }),
  })
  .meta({id: 'Attempt', description: 'One HTTP request of a delivery, with what the receiver said.'});

export const deliverySchema = z
  .object({
    id: id('delivery'),
    object: z.literal('delivery'),
    webhook_id: id('webhook'),
    event_id: id('event'),
    event_type: z.string(),
    state: z.string().meta({
      description: `\`pending\` (waits for its first attempt, or to be sent again) → \`delivering\` (a request is under way) → \`succeeded\` (a complete 2xx), \
or \`retrying\` (failed, waits for \`next_attempt_at\`), and in the end \`exhausted\` (no attempts left), \`aborted\` (the receiver wanted no more) or \
\`expired\` (15 days after its event); \`held\` while the webhook is disabled. An open list.`,
    }),
    attempts: z.int().meta({
      description:
        'Attempts begun. One whose end was never learnt, since a process died in it, is counted and not listed.',
    }),
    next_attempt_at: instant.nullable(),
    last_attempt: attemptSummarySchema.nullable(),
    created_at: instant,
    updated_at: instant,
  })
  .meta({id: 'Delivery', description: 'One event to one webhook. It changes too often for an `ETag`.'});

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
});
