import {type EventType, matchesType} from '../events/event.js';
import type {Resource} from '../core/resource.js';
import type {WebhookSettings} from './webhook-settings.js';
import type {Id} from '../core/ids.js';

export interface Webhook extends Resource<'webhook'>, WebhookSettings {
  readonly object: 'webhook';
  readonly url: string;
  /** Exact event types, `noun.*`, or `*`. */
  readonly events: readonly string[];
  /** Ids of the teams whose events are wanted; null for all. */
  readonly teams: readonly string[] | null;
  readonly description: string | null;
  /** Names of the headers it sends besides ours. Their values are never shown. */
  readonly header_names: readonly string[];
  readonly enabled: boolean;
  readonly disabled_reason: DisabledReason | null;
  /** Since when it is disabled. */
  readonly disabled_at: string | null;
  /** When its signing secret was last replaced; null while it has the first one. */
  readonly secret_rotated_at: string | null;
  /** The key that verifies its `v1a` signatures, `whpk_…`; null for a webhook that has no key pair yet. */
  readonly public_key: string | null;
}

export type DisabledReason = 'user' | 'gone' | 'failing';

/** How a webhook is matched during fan-out. */
export interface Subscription {
  readonly id: Id<'webhook'>;
  readonly enabled: boolean;
  readonly events: readonly string[];
  readonly teams: readonly string[] | null;
  /** Sequence of the event of its creation: earlier events are not for it. */
  readonly since: number;
}

/**
 * The parts of an event that decide whether it is wanted: its sequence, its type, its team, and its subject.
 */
export interface Subject {
  readonly sequence: number;
  readonly type: EventType;
  readonly team?: Id<'team'>;
  /** Id suffix of the resource that it is about. */
  readonly about: string;
}

/** True when a webhook gets an event now. */
export function isActiveSubscriber(subscription: Subscription, subject: Subject): boolean {
  return subscription.enabled && isSubscribedTo(subscription, subject);
}

/**
 * True when an event is for a webhook, which may be disabled. A webhook gets no events about itself: a
 * failure to deliver would otherwise make the next delivery. Only a test is for the webhook that it is about,
 * whatever that asks for, and for no other. An event that belongs to no team reaches a team-filtered webhook
 * too, since it would otherwise reach none of them.
 */
export function isSubscribedTo(subscription: Subscription, subject: Subject): boolean {
  if (subject.sequence <= subscription.since) return false;
  const isAboutIt = subscription.id.endsWith(subject.about);
  if (subject.type === 'webhook.test') return isAboutIt;
  if (subject.type.startsWith('webhook.') && isAboutIt) return false;
  if (subscription.teams !== null && subject.team !== undefined && !subscription.teams.includes(subject.team))
    return false;
  return matchesType(subscription.events, subject.type);
}
