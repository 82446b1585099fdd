import {z} from 'zod';
import {eventPatterns, longestPattern, suggestEvent} from '../../domain/events/event.js';
import {lifetimes, limits} from '../../domain/core/limits.js';
import {headerFault, headerLimits, headerName, headerValue} from '../../domain/webhooks/webhook-headers.js';
import {id, instant, pageParameters, record, reference, resource, text} from '../http/shared-schemas.js';
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
      description: 'Headers that it sends besides ours. Their values are shown to nobody.',
    }),
    enabled: z.boolean(),
    disabled_reason: z.string().nullable().meta({
      description:
        '`user`, `gone` (the receiver answered 410, or anything with `webhook-delivery: disable`), `failing` (5 days and 10 attempts or more without one success), or null.',
    }),
    disabled_at: instant
      .nullable()
      .meta({description: 'Since when it is disabled; null while it is enabled.'}),
    ...settingsShown,
    secret_rotated_at: instant.nullable().meta({
      description: 'When the signing secret was last replaced; null while it is the first one.',
    }),
    public_key: z.string().nullable().meta({
      description:
        'Verifies the signatures `v1a` (Ed25519), `whpk_…`. A rotation of the secret replaces it too. Null for a webhook that was made before there were any: rotate its secret.',
    }),
    ...resource,
  })
  .meta({id: 'Webhook', description: 'A subscription: where to send which events.'});

export const listedWebhookSchema = webhookSchema
  .extend({
    health: webhookHealthSchema
      .optional()
      .meta({description: 'Only with `include=health`: as `GET /v1/webhooks/{webhook}/health` shows it.'}),
  })
  .meta({id: 'ListedWebhook', description: 'A webhook, as lists show them.'});

export const webhookQuerySchema = z.strictObject({
  ...pageParameters,
  include: z
    .enum(['health'], 'must be health')
    .optional()
    .meta({description: '`health`: each webhook has how it is doing.'}),
});

export const failingWebhookSchema = webhookSchema
  .extend({
    failing_since: instant.meta({description: 'No attempt has succeeded since this one failed.'}),
  })
  .meta({id: 'FailingWebhook', description: 'A webhook, and since when it fails.'});

export const createdWebhookSchema = webhookSchema
  .extend({secret: z.string().meta({description: 'Signing secret, `whsec_…`. Shown only now.'})})
  .meta({id: 'CreatedWebhook', description: 'A webhook with its signing secret, once.'});

export const rotatedWebhookSchema = createdWebhookSchema
  .extend({
    secret: z.string().meta({description: 'The new signing secret, `whsec_…`. Shown only now.'}),
    previous_secret_expires_at: instant.nullable().meta({
      description:
        'Until then deliveries are signed with the earlier secret too; null when it has ended at once.',
    }),
  })
  .meta({id: 'RotatedWebhook', description: 'A webhook with its new signing secret, once.'});

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
        'How long the earlier secret goes on signing beside the new one. 0 ends it, and any before it, at once.',
    }),
});

const eventPattern = z
  .string()
  .refine((value) => eventPatterns.includes(value), {
    error: 'must be an event type such as "standup.created", a whole noun such as "standup.*", or "*"',
    params: {suggest: suggestEvent},
  })
  .meta({maxLength: longestPattern});

const headersText = `At most ${headerLimits.count}, sent with every delivery; names in any case, values printable ASCII. Not \`webhook-*\`, \
\`standup-*\`, \`content-*\`, \`proxy-*\`, \`host\`, \`expect\` or what is for one connection. Values are kept encrypted and never shown.`;

const headerBounds = {most: 2 * headerLimits.count, longest: headerLimits.name, noun: 'headers'};
const headerText = z.string().meta({maxLength: headerLimits.value, pattern: headerValue.source});

/** A null value removes a header. */
function headersOf<T extends string | null>(value: z.ZodType<T>) {
  return record(z.string().meta({pattern: headerName.source}), value, headerBounds).superRefine(
    (headers, context) => {
      const seen = new Set<string>();
      for (const [name, text] of Object.entries(headers)) {
        const twice = seen.has(name.toLowerCase()) ? 'is named twice' : undefined;
        const fault = headerFault(name, text) ?? twice;
        if (fault !== undefined) context.addIssue({code: 'custom', message: fault, path: [name]});
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
      description: 'Where to send: https and a public address, unless the operator has opened more.',
      examples: ['https://example.com/standups'],
    }),
  events: z
    .array(eventPattern)
    .min(1, 'must name at least one event type, such as "standup.created"')
    .max(limits.webhookEvents, `has at most ${limits.webhookEvents} event types`)
    .meta({
      description:
        'Event types, whole nouns such as `standup.*`, or `*`. Events about the webhook itself never come.',
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
        'Only events of these teams, and those that belong to no team, such as `member.joined`. Null: of all teams, as for a new webhook that leaves it out.',
    }),
  description: text(limits.description).nullable().optional().meta({description: 'For people.'}),
  headers: headersOf(headerText)
    .nullable()
    .optional()
    .meta({description: headersText, examples: [{authorization: 'Bearer of-the-receiver'}]}),
  enabled: z
    .boolean()
    .optional()
    .meta({description: 'False: nothing is queued for it, and what waits is held.'}),
};

export const newWebhookSchema = z
  .strictObject({...webhookMembers, enabled: webhookMembers.enabled.meta({default: true}), ...newSettings})
  .meta({id: 'NewWebhook', description: 'What a webhook is made from.'});

export const webhookChangeSchema = z
  .strictObject({
    ...webhookMembers,
    ...settingsChange,
    url: webhookMembers.url.optional(),
    events: webhookMembers.events.optional(),
    headers: headersOf(headerText.nullable())
      .nullable()
      .optional()
      .meta({
        description: `${headersText} What is not named stays; null removes one, or all. When \`url\` gets \
another origin, name every header that the webhook has: with its value, or null.`,
        examples: [{'x-api-key': 'another-one', authorization: null}],
      }),
  })
  .meta({id: 'WebhookChange', description: 'A merge patch of a webhook.'});
