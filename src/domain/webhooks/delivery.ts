import {z} from 'zod';
import {attemptErrors} from './attempt.js';
import {limits} from '../core/limits.js';
import {id, type Infer, instant, open} from '../core/schemas.js';
import type {EventType, LogEntry} from '../events/event.js';
import {
  composeId,
  suffixFromBytes,
  suffixOf,
  encodeBase32,
  type Id,
  type IdSuffix,
  suffixWithSequence,
  storedSuffix,
} from '../core/ids.js';

/** The states of a delivery in the API with their meanings, for the API reference and the guide. */
export const deliveryStateMeanings = {
  pending: 'waits for its first attempt, for another delivery of its team, or to be sent again',
  delivering: 'an attempt is under way',
  succeeded: 'a complete 2xx was returned',
  retrying: 'an attempt failed, and the next one is due at `next_attempt_at`',
  exhausted: 'the last attempt of its schedule failed',
  aborted:
    'the receiver ended it (410, `webhook-delivery: abort` or, without a 2xx, `disable`), or its replay was cancelled',
  expired: '15 days have passed since its event, or its next attempt would be later than that',
  held: 'its webhook is disabled, or it is due while the breaker of its webhook is open, and it continues afterwards without losing an attempt',
} as const;

export type DeliveryState = keyof typeof deliveryStateMeanings;

export const deliveryStates = Object.keys(deliveryStateMeanings) as [DeliveryState, ...DeliveryState[]];

const stateText = `The state: ${deliveryStates.map((state) => `\`${state}\`: ${deliveryStateMeanings[state]}`).join('; ')}. More values may be added.`;

const milliseconds = z.int().min(0);
const part = milliseconds.nullable();
const sentHeaders = z.record(z.string(), z.string());

const attemptSummarySchema = z
  .object({
    id: id('attempt'),
    object: z.literal('attempt'),
    number: z.int().min(1).meta({description: 'The number of the attempt in the delivery, from 1.'}),
    at: instant.meta({description: 'The start of the attempt.'}),
    duration_ms: milliseconds.meta({
      description: 'The time from the start of the attempt to the end of the response.',
    }),
    dns_ms: part.meta({description: 'The part of `connect_ms` that resolving the host name took.'}),
    tcp_ms: part.meta({description: 'The part of `connect_ms` that opening the TCP connection took.'}),
    tls_ms: part.meta({description: 'The part of `connect_ms` that the TLS handshake took.'}),
    connect_ms: milliseconds.nullable().meta({
      description:
        'The time to get a connection: name, TCP and TLS. It is about 0 for a reused connection, and null without a connection. Its parts are null for a reused connection, and for steps that were not reached.',
    }),
    first_byte_ms: milliseconds.nullable().meta({
      description: "The time to the response's headers. Null if none arrived.",
    }),
    remote_address: z.string().nullable().meta({
      description: 'The IP address of the receiver. Null without a connection.',
    }),
    status: z.int().nullable().meta({description: 'The HTTP status. Null without a response.'}),
    error: z
      .enum(attemptErrors)
      .nullable()
      .meta({
        description: `The error. Null if the attempt succeeded. Otherwise \`status\` (a response other than 2xx), \`timeout\`, \`dns_failed\`, \`connection_failed\` \
(refused, or an address that is not allowed), \`connection_closed\`, \`tls_failed\`, \`invalid_response\` (not HTTP) or \`proxy_failed\` (the outgoing proxy of the service).`,
      }),
    probe: z.boolean().meta({
      description:
        'Whether the attempt is a probe: it checks whether a failing receiver works again, while its other deliveries wait.',
    }),
  })
  .meta({id: 'AttemptSummary', description: 'One HTTP request of a delivery.'});

const exchangeText = `Requests and responses are kept for the last ${limits.excerptsPerWebhook} attempts of a webhook. If very many attempts succeed at once, those of some successes are left out, but never those of a failure. Null if not kept, and after a later erasure of a member.`;

export const attemptSchema = attemptSummarySchema
  .extend({
    request: z
      .object({
        method: z.literal('POST'),
        url: z.string(),
        headers: sentHeaders.meta({
          description:
            "The headers of the service as they were sent, without the signature. The webhook's own headers have only their names. Hidden values read `[hidden]`. Headers of HTTP itself (`host`, `content-length`) are left out.",
        }),
      })
      .nullable()
      .meta({
        description: `The request as it was sent, without secrets. Its body is not included: the body is the event (\`GET /v1/events/{event}\`), byte for byte, or the thin event. ${exchangeText}`,
      }),
    response: z
      .object({
        headers: sentHeaders.meta({
          description:
            "The headers of the response, at most 2 KiB, with names in lower case and without cookies. Values that may be credentials read `***`. Repeated values of the webhook's own headers read `[hidden]`. URLs have no query and fragment.",
        }),
        body: z.string().nullable().meta({
          description:
            "The beginning of the body as text: 1 KiB, or 4 KiB for failures. Repeated values (of 8 characters or more) of the webhook's own headers read `[hidden]`. Null if the body was empty.",
        }),
      })
      .nullable()
      .meta({description: `The response. Null if none arrived. ${exchangeText}`}),
  })
  .meta({id: 'Attempt', description: 'One HTTP request of a delivery, with the request and the response.'});

export const deliverySchema = z
  .object({
    id: id('delivery'),
    object: z.literal('delivery'),
    webhook_id: id('webhook'),
    event_id: id('event'),
    event_type: open<EventType>(),
    state: open<DeliveryState>({description: stateText}),
    attempts: z.int().meta({
      description:
        'The number of attempts started. An attempt without a known end, because a process died, is counted and not listed.',
    }),
    next_attempt_at: instant.nullable().meta({
      description:
        'When the next attempt is due. Null if the delivery has ended, is under way, waits for another of its team, or its webhook is disabled. While the breaker is open, it is not before the next probe; the probe takes the oldest due delivery.',
    }),
    last_attempt: attemptSummarySchema.nullable(),
    replay_id: id('replay')
      .nullable()
      .meta({description: 'The replay that created it. Null if the event itself created it.'}),
    created_at: instant,
    updated_at: instant,
  })
  .meta({id: 'Delivery', description: 'One event sent to one webhook. It changes too often for an `ETag`.'});

export type Delivery = Infer<typeof deliverySchema>;

/** One HTTP request of a delivery, as the delivery shows its last attempt. */
export type AttemptSummary = Infer<typeof attemptSummarySchema>;

/** The result of one HTTP request; times are in milliseconds. */
export type AttemptRecord = Omit<AttemptSummary, 'id' | 'object' | 'number'>;

/** An attempt with its request and response. They are null after they have been deleted. */
export type Attempt = Infer<typeof attemptSchema>;

/** The request and the response. The response is null if none came. */
export interface AttemptExchange {
  readonly request: NonNullable<Attempt['request']>;
  readonly response: Attempt['response'];
}

/**
 * Returns the id of an attempt. It is calculated from the delivery (by its id suffix), the number and the
 * time, so it is not stored.
 */
export function createAttemptId(suffix: IdSuffix<'delivery'>, number: number, at: number): Id<'attempt'> {
  return composeId(
    'attempt',
    at,
    storedSuffix(suffix.slice(0, 5) + encodeBase32(number % 32_768, 3) + suffix.slice(8)),
  );
}

/**
 * The number of positions that each event has in a webhook's list of deliveries. The event's first delivery
 * is at the number of the event; deliveries by replays follow in steps of 1 / `positionsPerEvent`.
 */
export const positionsPerEvent = 4_096;

export type Sha256 = (text: string) => Uint8Array;

/**
 * Returns the id suffix of the delivery of an event to a webhook. It is always the same for the same two.
 * `webhook`: its id suffix.
 */
function createDeliverySuffix(
  sha256: Sha256,
  {id, sequence}: Pick<LogEntry, 'id' | 'sequence'>,
  webhook: IdSuffix<'webhook'>,
): IdSuffix<'delivery'> {
  const start = suffixFromBytes(sha256(`${id} ${webhook}`).subarray(0, 10));
  return suffixWithSequence(start, sequence);
}

/** A delivery that is to be created for one event and one webhook. */
export interface NewDelivery {
  readonly webhook: IdSuffix<'webhook'>;
  /** The id suffix of the delivery, which ends with the number of the event. */
  readonly suffix: IdSuffix<'delivery'>;
  readonly sequence: number;
  readonly team?: IdSuffix<'team'>;
}

/** Creates the delivery of an event to a webhook (its id suffix), always with the same result. */
export function createNewDelivery(
  sha256: Sha256,
  entry: LogEntry,
  webhook: IdSuffix<'webhook'>,
): NewDelivery {
  const {sequence, team} = entry;
  const suffix = createDeliverySuffix(sha256, entry, webhook);
  return team === undefined ? {webhook, suffix, sequence} : {webhook, suffix, sequence, team: suffixOf(team)};
}

/** Creates the delivery of a webhook's test in its first state, from the time and the event of the commit. */
export function createWebhookTestDelivery(
  sha256: Sha256,
  webhook: Id<'webhook'>,
  {at, sequence}: {readonly at: number; readonly sequence: number},
): Delivery {
  const about = suffixOf(webhook);
  const event = composeId('event', at, suffixWithSequence(about, sequence));
  const instant = new Date(at).toISOString();
  return {
    id: composeId('delivery', at, createDeliverySuffix(sha256, {id: event, sequence}, about)),
    object: 'delivery',
    webhook_id: webhook,
    event_id: event,
    event_type: 'webhook.test',
    state: 'pending',
    attempts: 0,
    next_attempt_at: instant,
    last_attempt: null,
    replay_id: null,
    created_at: instant,
    updated_at: instant,
  };
}
