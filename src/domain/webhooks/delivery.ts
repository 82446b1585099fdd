import type {AttemptError} from './attempt.js';
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

/** The states of a delivery in the API. `held`: its webhook is disabled, or has an open circuit breaker. */
export const deliveryStates = [
  'pending',
  'delivering',
  'succeeded',
  'retrying',
  'exhausted',
  'aborted',
  'expired',
  'held',
] as const;

export type DeliveryState = (typeof deliveryStates)[number];

export interface Delivery {
  readonly id: Id<'delivery'>;
  readonly object: 'delivery';
  readonly webhook_id: Id<'webhook'>;
  readonly event_id: Id<'event'>;
  readonly event_type: EventType;
  readonly state: DeliveryState;
  /** The number of attempts that have begun. */
  readonly attempts: number;
  readonly next_attempt_at: string | null;
  readonly last_attempt: AttemptSummary | null;
  /** The replay that created the delivery; null for the event's first delivery. */
  readonly replay_id: Id<'replay'> | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** The result of one HTTP request; times are in milliseconds. */
export interface AttemptRecord {
  readonly at: string;
  readonly duration_ms: number;
  /** The parts of `connect_ms`. Null for an existing connection, or if the attempt failed earlier. */
  readonly dns_ms: number | null;
  readonly tcp_ms: number | null;
  readonly tls_ms: number | null;
  /** The time until a connection was available (DNS, TCP, TLS); null without a connection. */
  readonly connect_ms: number | null;
  /** The time from the start to the response's headers; null without a response. */
  readonly first_byte_ms: number | null;
  /** The IP address of the receiver; null without a connection. */
  readonly remote_address: string | null;
  /** The HTTP status; null without an answer. */
  readonly status: number | null;
  /** The error of the attempt; null for a success. */
  readonly error: AttemptError | null;
  /** True for an attempt that tests whether a failing receiver works again. */
  readonly probe: boolean;
}

/** One HTTP request of a delivery, as the delivery shows its last attempt. */
export interface AttemptSummary extends AttemptRecord {
  readonly id: Id<'attempt'>;
  readonly object: 'attempt';
  /** The number of the attempt, counted from 1. */
  readonly number: number;
}

/** The request as it was sent, without secret values. The body is that of the event. */
export interface AttemptRequest {
  readonly method: 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface AttemptResponse {
  readonly headers: Readonly<Record<string, string>>;
  /** The beginning of the response body; null for an empty body. */
  readonly body: string | null;
}

/** The request and the response. The response is null if none came. */
export interface AttemptExchange {
  readonly request: AttemptRequest;
  readonly response: AttemptResponse | null;
}

/** An attempt with its request and response. They are null after they have been deleted. */
export interface Attempt extends AttemptSummary {
  readonly request: AttemptRequest | null;
  readonly response: AttemptResponse | null;
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
export function createDeliverySuffix(
  sha256: Sha256,
  {id, sequence}: Pick<LogEntry, 'id' | 'sequence'>,
  webhook: IdSuffix<'webhook'>,
): IdSuffix<'delivery'> {
  const start = suffixFromBytes(sha256(`${id} ${webhook}`).subarray(0, 10));
  return suffixWithSequence(start, sequence);
}

/** A delivery that is to be created for one event and one webhook. */
export interface NewDelivery {
  /** The id suffix of the webhook. */
  readonly webhook: IdSuffix<'webhook'>;
  /** The id suffix of the delivery, which ends with the number of the event. */
  readonly suffix: IdSuffix<'delivery'>;
  readonly sequence: number;
  /** The id suffix of the team that the event belongs to. */
  readonly team?: IdSuffix<'team'>;
}

/**
 * Creates the delivery of an event to a webhook, which is given by its id suffix. The result is always the
 * same.
 */
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
