import {type EventType, matchesEventType} from '../events/event.js';
import type {Resource} from '../core/resource.js';
import type {WebhookSettings} from './webhook-settings.js';
import type {Id} from '../core/ids.js';

export interface Webhook extends Resource<'webhook'>, WebhookSettings {
  readonly object: 'webhook';
  readonly url: string;
  /** The subscribed events: exact types, `noun.*`, or `*`. */
  readonly events: readonly string[];
  /** The ids of the teams whose events are wanted; null for all. */
  readonly teams: readonly string[] | null;
  readonly description: string | null;
  /** The names of the webhook's additional headers. Their values are never shown. */
  readonly header_names: readonly string[];
  readonly enabled: boolean;
  readonly disabled_reason: DisabledReason | null;
  /** The time at which the webhook was disabled; null for an enabled webhook. */
  readonly disabled_at: string | null;
  /** The time at which the signing secret was last replaced; null if it is still the first secret. */
  readonly secret_rotated_at: string | null;
  /** The public key for `v1a` signatures, `whpk_…`. */
  readonly public_key: string;
}

export type DisabledReason = 'user' | 'gone' | 'failing';

/** The parts of a webhook that decide which events it gets. */
export interface Subscription {
  readonly id: Id<'webhook'>;
  readonly enabled: boolean;
  readonly events: readonly string[];
  readonly teams: readonly string[] | null;
  /** The number of the event that created the webhook. Earlier events are not for it. */
  readonly since: number;
}

/** The parts of an event that decide which webhooks get it: its number, type, team and resource. */
export interface Subject {
  readonly sequence: number;
  readonly type: EventType;
  readonly team?: Id<'team'>;
  /** The id suffix of the resource that the event reports on. */
  readonly about: string;
}

/** True when a webhook currently gets an event. */
export function isActiveSubscriber(subscription: Subscription, subject: Subject): boolean {
  return subscription.enabled && isSubscribedTo(subscription, subject);
}

/**
 * True when an event is for a webhook, even a disabled one. A webhook gets no events about itself, because a
 * failed delivery would cause the next one. The exception is its test, which no other webhook gets. Events
 * without a team also go to webhooks that are limited to teams.
 */
export function isSubscribedTo(subscription: Subscription, subject: Subject): boolean {
  if (subject.sequence <= subscription.since) return false;
  const isAboutIt = subscription.id.endsWith(subject.about);
  if (subject.type === 'webhook.test') return isAboutIt;
  if (subject.type.startsWith('webhook.') && isAboutIt) return false;
  if (subscription.teams !== null && subject.team !== undefined && !subscription.teams.includes(subject.team))
    return false;
  return matchesEventType(subscription.events, subject.type);
}
