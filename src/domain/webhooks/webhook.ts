import {z} from 'zod';
import {
  eventPatterns,
  type EventTeams,
  type EventType,
  longestPattern,
  matchesEventType,
  suggestEventTypes,
} from '../events/event.js';
import {principalReference} from '../core/access.js';
import type {Id} from '../core/ids.js';
import {limits} from '../core/limits.js';
import {id, type Infer, instant, open, record, reference, resource, text} from '../core/schemas.js';
import {findHeaderError, headerLimits, headerName, headerValue} from './webhook-headers.js';
import {newSettings, settingsChange, settingsShown} from './webhook-settings.js';

export type DisabledReason = 'user' | 'gone' | 'failing';

export const webhookSchema = resource('webhook', {
  url: z.string(),
  events: z.array(z.string()),
  teams: z.array(id('team')).nullable(),
  description: z.string().nullable(),
  header_names: z.array(z.string()).meta({
    description: "The names of the webhook's own headers. Their values are never shown.",
  }),
  enabled: z.boolean(),
  disabled_reason: open<DisabledReason>().nullable().meta({
    description:
      'The reason: `user`, `gone` (the receiver returned 410, or any response with `webhook-delivery: disable`), `failing` (5 days and 10 attempts or more without one success), or null.',
  }),
  disabled_at: instant.nullable().meta({description: 'When it was disabled. Null while it is enabled.'}),
  ...settingsShown,
  created_by: principalReference.nullable().meta({
    description:
      'The member or service account that created it. Null: the operator, or created by an earlier release.',
  }),
  secret_rotated_at: instant.nullable().meta({
    description: 'When the signing secret was last replaced. Null for the first secret.',
  }),
  public_key: z.string().meta({
    description:
      'The public key that verifies the signatures `v1a` (Ed25519), `whpk_…`. A rotation of the secret replaces it too.',
  }),
}).meta({id: 'Webhook', description: 'A subscription to events, with the URL to send them to.'});

export type Webhook = Infer<typeof webhookSchema>;

const eventPattern = z
  .string()
  .refine((value) => eventPatterns.includes(value), {
    error: 'must be an event type such as "standup.created", a whole noun such as "standup.*", or "*"',
    params: {suggest: suggestEventTypes},
  })
  .meta({maxLength: longestPattern});

const headersText = `The webhook's own headers, at most ${headerLimits.count}, sent with every delivery. Names are case-insensitive; values are printable ASCII. \
\`webhook-*\`, \`standup-*\`, \`content-*\`, \`proxy-*\`, \`host\`, \`expect\` and headers of one connection are not allowed. Values are stored encrypted and never shown.`;

const headerBounds = {most: 2 * headerLimits.count, longest: headerLimits.name, noun: 'headers'};
const headerText = z.string().meta({maxLength: headerLimits.value, pattern: headerValue.source});

/** The schema of a webhook's own headers. In a change, a null value removes a header. */
function createHeadersSchema<T extends string | null>(value: z.ZodType<T>) {
  return record(z.string().meta({pattern: headerName.source}), value, headerBounds).superRefine(
    (headers, context) => {
      const seen = new Set<string>();
      for (const [name, text] of Object.entries(headers)) {
        const twice = seen.has(name.toLowerCase()) ? 'is named twice' : undefined;
        const error = findHeaderError(name, text) ?? twice;
        if (error !== undefined) context.addIssue({code: 'custom', message: error, path: [name]});
        seen.add(name.toLowerCase());
      }
    },
  );
}

const webhookMembers = {
  url: z
    .string()
    .min(1, 'must not be empty')
    .max(limits.url, `has at most ${limits.url} characters`)
    .meta({
      format: 'uri',
      description: 'The URL to send to: https and a public address, unless the operator allows more.',
      examples: ['https://example.com/standups'],
    }),
  events: z
    .array(eventPattern)
    .min(1, 'must name at least one event type, such as "standup.created"')
    .max(limits.webhookEvents, `has at most ${limits.webhookEvents} event types`)
    .meta({
      description:
        'The events to send: types, groups such as `standup.*`, or `*`. Events about the webhook itself are never sent.',
      examples: [['standup.*']],
    }),
  teams: z
    .array(reference)
    .min(1, 'names at least one team, or is null for all')
    .max(limits.webhookTeams, `has at most ${limits.webhookTeams} teams`)
    .nullable()
    .optional()
    .meta({
      description:
        'The teams: only their events are sent, and those that belong to no team, such as `member.joined`. Null: all open teams, the default of a new webhook. A private team must be named.',
    }),
  description: text(limits.description).nullable().optional().meta({description: 'A note for people.'}),
  headers: createHeadersSchema(headerText)
    .nullable()
    .optional()
    .meta({description: headersText, examples: [{authorization: 'Bearer of-the-receiver'}]}),
  enabled: z.boolean().optional().meta({
    description: 'Whether it is enabled. False: nothing is queued for it, and waiting deliveries are held.',
  }),
};

export const newWebhookSchema = z
  .strictObject({...webhookMembers, enabled: webhookMembers.enabled.meta({default: true}), ...newSettings})
  .meta({id: 'NewWebhook', description: 'The fields of a new webhook.'});

export const webhookChangeSchema = z
  .strictObject({
    ...webhookMembers,
    ...settingsChange,
    url: webhookMembers.url.optional(),
    events: webhookMembers.events.optional(),
    headers: createHeadersSchema(headerText.nullable())
      .nullable()
      .optional()
      .meta({
        description: `${headersText} Headers that are left out do not change. Null removes one, or all. A \`url\` with \
another origin requires every header of the webhook, with its value or null.`,
        examples: [{'x-api-key': 'another-one', authorization: null}],
      }),
  })
  .meta({id: 'WebhookChange', description: 'Changes to a webhook, as a JSON merge patch.'});

export type NewWebhook = Infer<typeof newWebhookSchema>;
export type WebhookChange = Infer<typeof webhookChangeSchema>;

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

export function isActiveSubscriber(
  subscription: Subscription,
  subject: Subject,
  hidden: EventTeams,
): boolean {
  return subscription.enabled && isSubscribedTo(subscription, subject, hidden);
}

/**
 * True when an event is for a webhook, even a disabled one. A webhook gets no events about itself, because a
 * failed delivery would cause the next one. The exception is its test, which no other webhook gets. Events
 * without a team also go to webhooks that are limited to teams. An event that tells of a private team is only for
 * webhooks that name the team, except the change that makes it private. `hidden`: the private teams of the event.
 */
export function isSubscribedTo(
  subscription: Subscription,
  subject: Subject,
  {ids: hidden, closes}: EventTeams,
): boolean {
  if (subject.sequence <= subscription.since) return false;
  const isAboutIt = subscription.id.endsWith(subject.about);
  if (subject.type === 'webhook.test') return isAboutIt;
  if (subject.type.startsWith('webhook.') && isAboutIt) return false;
  if (subscription.teams !== null && subject.team !== undefined && !subscription.teams.includes(subject.team))
    return false;
  if (!closes && hidden.some((id) => subscription.teams?.includes(id) !== true)) return false;
  return matchesEventType(subscription.events, subject.type);
}

/** Names a webhook for people, only by its host: the path may hold a secret. */
export function findWebhookName({url, description}: Pick<Webhook, 'url' | 'description'>): string {
  const {host} = new URL(url);
  return description === null ? host : `${description} (${host})`;
}
