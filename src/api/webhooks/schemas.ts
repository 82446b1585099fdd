import {z} from 'zod';
import {eventPatterns, longestPattern, suggestEventTypes} from '../../domain/events/event.js';
import {lifetimes, limits} from '../../domain/core/limits.js';
import {
  findHeaderError,
  headerLimits,
  headerName,
  headerValue,
} from '../../domain/webhooks/webhook-headers.js';
import {id, instant, record, reference, text, resourceEnd} from '../../domain/core/schemas.js';
import {pageParameters} from '../http/shared-schemas.js';
import {webhookHealthSchema} from './health-schemas.js';
import {newSettings, settingsChange, settingsShown} from './settings-schemas.js';

export const webhookSchema = z
  .object({
    id: id('webhook'),
    object: z.literal('webhook'),
    url: z.string(),
    events: z.array(z.string()),
    teams: z.array(id('team')).nullable(),
    description: z.string().nullable(),
    header_names: z.array(z.string()).meta({
      description: "The names of the webhook's own headers. Their values are never shown.",
    }),
    enabled: z.boolean(),
    disabled_reason: z.string().nullable().meta({
      description:
        'The reason: `user`, `gone` (the receiver returned 410, or any response with `webhook-delivery: disable`), `failing` (5 days and 10 attempts or more without one success), or null.',
    }),
    disabled_at: instant.nullable().meta({description: 'When it was disabled. Null while it is enabled.'}),
    ...settingsShown,
    secret_rotated_at: instant.nullable().meta({
      description: 'When the signing secret was last replaced. Null for the first secret.',
    }),
    public_key: z.string().meta({
      description:
        'The public key that verifies the signatures `v1a` (Ed25519), `whpk_…`. A rotation of the secret replaces it too.',
    }),
    ...resourceEnd,
  })
  .meta({id: 'Webhook', description: 'A subscription to events, with the URL to send them to.'});

export const listedWebhookSchema = webhookSchema
  .extend({
    health: webhookHealthSchema.optional().meta({
      description: 'The health, as in `GET /v1/webhooks/{webhook}/health`; only with `include=health`.',
    }),
  })
  .meta({id: 'ListedWebhook', description: 'A webhook, as in lists.'});

export const webhookQuerySchema = z.strictObject({
  ...pageParameters,
  include: z
    .enum(['health'], 'must be health')
    .optional()
    .meta({description: 'Related data to include. `health`: the health of each webhook.'}),
});

export const failingWebhookSchema = webhookSchema
  .extend({
    failing_since: instant.meta({description: 'The first failed attempt since the last success.'}),
  })
  .meta({id: 'FailingWebhook', description: 'A webhook, with the time since which it fails.'});

export const createdWebhookSchema = webhookSchema
  .extend({secret: z.string().meta({description: 'The signing secret, `whsec_…`. Shown only once.'})})
  .meta({id: 'CreatedWebhook', description: 'A new webhook with its signing secret.'});

export const rotatedWebhookSchema = createdWebhookSchema
  .extend({
    secret: z.string().meta({description: 'The new signing secret, `whsec_…`. Shown only once.'}),
    previous_secret_expires_at: instant.nullable().meta({
      description: 'Until when the earlier secret also signs deliveries. Null if it ended at once.',
    }),
  })
  .meta({id: 'RotatedWebhook', description: 'A webhook with its new signing secret.'});

export const rotationSchema = z.strictObject({
  overlap_seconds: z
    .int(`must be a whole number from 0 to ${lifetimes.secretOverlapMax}`)
    .min(0, `must be a whole number from 0 to ${lifetimes.secretOverlapMax}`)
    .max(lifetimes.secretOverlapMax, `must be a whole number from 0 to ${lifetimes.secretOverlapMax}`)
    .optional()
    .meta({
      default: lifetimes.secretOverlapDefault,
      examples: [3_600],
      description:
        'How long the earlier secret signs together with the new one. 0 ends it, and all earlier ones, at once.',
    }),
});

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
        'The teams: only their events are sent, and those that belong to no team, such as `member.joined`. Null: all teams, the default of a new webhook.',
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
