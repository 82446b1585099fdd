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

/** The life of a delivery, as the API shows it. `held`: its webhook is disabled, or its breaker is open. */
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
  /** Attempts begun so far. */
  readonly attempts: number;
  readonly next_attempt_at: string | null;
  readonly last_attempt: AttemptSummary | null;
  /** The replay that made it; null when the event itself did. */
  readonly replay_id: Id<'replay'> | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** The result of one HTTP request; times are in milliseconds. */
export interface AttemptRecord {
  readonly at: string;
  readonly duration_ms: number;
  /** Parts of `connect_ms`; null on a connection that was open already, or when it did not get that far. */
  readonly dns_ms: number | null;
  readonly tcp_ms: number | null;
  readonly tls_ms: number | null;
  /** Time until a connection was available (DNS, TCP, TLS); null when none was. */
  readonly connect_ms: number | null;
  /** From the start until the response's headers; null when none came. */
  readonly first_byte_ms: number | null;
  /** The IP address that answered; null when none did. */
  readonly remote_address: string | null;
  /** HTTP status, or null when no answer came. */
  readonly status: number | null;
  /** Why it failed; null when it succeeded. */
  readonly error: AttemptError | null;
  /** True for an attempt that tests whether a receiver that kept failing is back. */
  readonly probe: boolean;
}

/** One HTTP request of a delivery, as the delivery itself shows its last one. */
export interface AttemptSummary extends AttemptRecord {
  readonly id: Id<'attempt'>;
  readonly object: 'attempt';
  /** Counted from 1. */
  readonly number: number;
}

/** A request as it was sent, without its body (the event's) and without secret values. */
export interface AttemptRequest {
  readonly method: 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface AttemptResponse {
  readonly headers: Readonly<Record<string, string>>;
  /** Its beginning; null when it was empty. */
  readonly body: string | null;
}

/** The request and the response on the wire; the response is null when none came. */
export interface AttemptExchange {
  readonly request: AttemptRequest;
  readonly response: AttemptResponse | null;
}

/** An attempt with its request and its response; null where they are no longer kept. */
export interface Attempt extends AttemptSummary {
  readonly request: AttemptRequest | null;
  readonly response: AttemptResponse | null;
}

/**
 * An attempt's id follows from its delivery, its number and its time, so that it need not be kept. `suffix` is
 * the delivery's id suffix.
 */
export function attemptId(suffix: IdSuffix<'delivery'>, number: number, at: number): Id<'attempt'> {
  return composeId(
    'attempt',
    at,
    storedSuffix(suffix.slice(0, 5) + encodeBase32(number % 32_768, 3) + suffix.slice(8)),
  );
}

/**
 * In a webhook's list a delivery is at its event's sequence. Deliveries that replays make of the same event
 * follow it in steps of 1 / `positionsPerEvent`.
 */
export const positionsPerEvent = 4_096;

export type Sha256 = (text: string) => Uint8Array;

/**
 * Id suffix of the delivery of an event to a webhook (its id suffix): the same, however often it is computed.
 */
export function deliverySuffix(
  sha256: Sha256,
  {id, sequence}: Pick<LogEntry, 'id' | 'sequence'>,
  webhook: IdSuffix<'webhook'>,
): IdSuffix<'delivery'> {
  const start = suffixFromBytes(sha256(`${id} ${webhook}`).subarray(0, 10));
  return suffixWithSequence(start, sequence);
}

/** A delivery to be made of one event to one webhook. */
export interface NewDelivery {
  /** Id suffix of the webhook. */
  readonly webhook: IdSuffix<'webhook'>;
  /** Id suffix of the delivery; ends in the event's sequence. */
  readonly suffix: IdSuffix<'delivery'>;
  readonly sequence: number;
  /** Id suffix of the team that the event belongs to. */
  readonly team?: IdSuffix<'team'>;
}

/** The delivery of an event to a webhook (its id suffix): the same, however often it is made. */
export function newDelivery(sha256: Sha256, entry: LogEntry, webhook: IdSuffix<'webhook'>): NewDelivery {
  const {sequence, team} = entry;
  const suffix = deliverySuffix(sha256, entry, webhook);
  return team === undefined ? {webhook, suffix, sequence} : {webhook, suffix, sequence, team: suffixOf(team)};
}

/**
 * The delivery of a webhook's test in its first state: everything follows from the time and the event of the
 * test's commit.
 */
export function testDelivery(
  sha256: Sha256,
  webhook: Id<'webhook'>,
  {at, sequence}: {readonly at: number; readonly sequence: number},
): Delivery {
  const about = suffixOf(webhook);
  const event = composeId('event', at, suffixWithSequence(about, sequence));
  const instant = new Date(at).toISOString();
  return {
    id: composeId('delivery', at, deliverySuffix(sha256, {id: event, sequence}, about)),
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
