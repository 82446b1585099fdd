import {z} from 'zod';
import {attemptErrors} from '../../domain/webhooks/attempt.js';
import {type DeliveryState, deliveryStates} from '../../domain/webhooks/delivery.js';
import {eventTypes} from '../../domain/events/event.js';
import {limits} from '../../domain/core/limits.js';
import {id, instant, instantParameter, pageParameters} from '../http/shared-schemas.js';

/** The meaning of each state, here and in the guide. */
export const deliveryStateMeanings: Readonly<Record<DeliveryState, string>> = {
  pending: 'waits for its first attempt, for another delivery of its team, or to be sent again',
  delivering: 'an attempt is under way',
  succeeded: 'a complete 2xx was answered',
  retrying: 'an attempt failed, the next one is due at `next_attempt_at`',
  exhausted: 'the last attempt of its schedule failed',
  aborted:
    'the receiver wanted no more (410, `webhook-delivery: abort` or, without a 2xx, `disable`), or its replay was cancelled',
  expired: '15 days after its event, or its next attempt would have come later than that',
  held: 'its webhook is disabled, or it is due while the breaker of its webhook is open: it goes on afterwards and has lost no attempt',
};

const stateText = `${deliveryStates.map((state) => `\`${state}\`: ${deliveryStateMeanings[state]}`).join('; ')}. An open list.`;

const milliseconds = z.int().min(0);
const part = milliseconds.nullable();
const sentHeaders = z.record(z.string(), z.string());

const attemptSummarySchema = z
  .object({
    id: id('attempt'),
    object: z.literal('attempt'),
    number: z.int().min(1).meta({description: 'Counts the attempts of the delivery from 1.'}),
    at: instant.meta({description: 'When it began.'}),
    duration_ms: milliseconds.meta({description: 'From the beginning to the end of the answer.'}),
    dns_ms: part.meta({description: 'Of `connect_ms`: until the name was resolved.'}),
    tcp_ms: part.meta({description: 'Of `connect_ms`: until the receiver had taken the connection.'}),
    tls_ms: part.meta({description: 'Of `connect_ms`: for the TLS handshake.'}),
    connect_ms: milliseconds.nullable().meta({
      description:
        'Until a connection was at hand: name, TCP and TLS. About 0 on one that was kept; null when there was none. Its parts are null on one that was kept, and where it did not come that far.',
    }),
    first_byte_ms: milliseconds.nullable().meta({
      description: "Until the response's headers had come; null when none came.",
    }),
    remote_address: z.string().nullable().meta({
      description: 'The IP address that the request went to; null when there was no connection.',
    }),
    status: z.int().nullable().meta({description: 'HTTP status; null when no answer came.'}),
    error: z
      .enum(attemptErrors)
      .nullable()
      .meta({
        description: `Null when it succeeded. Otherwise \`status\` (an answer that is no 2xx), \`timeout\`, \`dns_failed\`, \`connection_failed\` \
(refused, or an address that may not be dialled), \`connection_closed\`, \`tls_failed\`, \`invalid_response\` (no HTTP), \`proxy_failed\` (our own way out).`,
      }),
    probe: z.boolean().meta({
      description:
        'Made to see whether a receiver that had kept failing is back, while its other deliveries wait.',
    }),
  })
  .meta({id: 'AttemptSummary', description: 'One HTTP request of a delivery.'});

const exchangeText = `Kept for the last ${limits.excerptsPerWebhook} attempts of a webhook: every failure and, where very many succeed at once, some of these. Null otherwise, and once a person has been erased since.`;

export const attemptSchema = attemptSummarySchema
  .extend({
    request: z
      .object({
        method: z.literal('POST'),
        url: z.string(),
        headers: sentHeaders.meta({
          description:
            "Ours as they were sent, but for the signature; of the webhook's own only the names. Hidden values read `[hidden]`. What HTTP itself needs (`host`, `content-length`) is left out.",
        }),
      })
      .nullable()
      .meta({
        description: `As it was sent, without what is secret. Its body is not repeated here: it is the event (\`GET /v1/events/{event}\`), byte for byte, or its thin form. ${exchangeText}`,
      }),
    response: z
      .object({
        headers: sentHeaders.meta({
          description:
            "At most 2 KiB, names in lower case, without cookies. Values that may be credentials read `***`, what repeats a value of the webhook's own headers reads `[hidden]`, and addresses are without query and fragment.",
        }),
        body: z.string().nullable().meta({
          description:
            "Its beginning as text: 1 KiB, of failures 4 KiB. What repeats a value (of 8 characters or more) of the webhook's own headers reads `[hidden]`. Null when it was empty.",
        }),
      })
      .nullable()
      .meta({description: `Null when no answer came. ${exchangeText}`}),
  })
  .meta({id: 'Attempt', description: 'One HTTP request of a delivery, with what went over the wire.'});

export const deliverySchema = z
  .object({
    id: id('delivery'),
    object: z.literal('delivery'),
    webhook_id: id('webhook'),
    event_id: id('event'),
    event_type: z.string(),
    state: z.string().meta({description: stateText}),
    attempts: z.int().meta({
      description:
        'Attempts begun. One whose end was never learnt, since a process died in it, is counted and not listed.',
    }),
    next_attempt_at: instant.nullable().meta({
      description:
        'Null when it has ended, is on its way, waits for another of its team, or its webhook is disabled. While the breaker is open: not before the next probe, which takes the oldest that is due.',
    }),
    last_attempt: attemptSummarySchema.nullable(),
    replay_id: id('replay')
      .nullable()
      .meta({description: 'The replay that made it; null when the event itself did.'}),
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
  since: instantParameter
    .optional()
    .meta({description: 'Only deliveries of events from here on, inclusive.'}),
  until: instantParameter.optional().meta({description: 'Only deliveries of events up to here, inclusive.'}),
  event: id('event').optional().meta({description: 'Only deliveries of this event.'}),
  replay: id('replay').optional().meta({description: 'Only deliveries that this replay has made.'}),
});
