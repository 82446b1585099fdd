import {z} from 'zod';
import {eventPatterns} from '../../domain/event.js';
import {lifetimes, limits} from '../../domain/limits.js';
import {id, instant, reference, resource, text} from './shared.js';

export const webhookSchema = z
  .object({
    id: id('webhook'),
    object: z.literal('webhook'),
    url: z.string(),
    events: z.array(z.string()),
    teams: z.array(id('team')).nullable(),
    description: z.string().nullable(),
    enabled: z.boolean(),
    disabled_reason: z
      .string()
      .nullable()
      .meta({description: '`user`, `gone` (the receiver answered 410), `failing`, or null.'}),
    secret_rotated_at: instant.nullable().meta({
      description: 'When the signing secret was last replaced; null while it is the first one.',
    }),
    ...resource,
  })
  .meta({id: 'Webhook', description: 'A subscription: where to send which events.'});

export const createdWebhookSchema = webhookSchema
  .extend({secret: z.string().meta({description: 'Signing secret, `whsec_…`. Shown only now.'})})
  .meta({id: 'CreatedWebhook'});

export const rotatedWebhookSchema = createdWebhookSchema
  .extend({
    secret: z.string().meta({description: 'The new signing secret, `whsec_…`. Shown only now.'}),
    previous_secret_expires_at: instant.nullable().meta({
      description:
        'Until then deliveries are signed with the earlier secret too; null when it has ended at once.',
    }),
  })
  .meta({id: 'RotatedWebhook'});

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
  .refine(
    (value) => eventPatterns.includes(value),
    'must be an event type, a whole noun such as "standup.*", or "*"',
  );

const webhookMembers = {
  url: z
    .string()
    .min(1, 'must not be empty')
    .max(limits.url, `has at most ${limits.url} characters`)
    .meta({format: 'uri', examples: ['https://example.com/standups']}),
  events: z
    .array(eventPattern)
    .min(1, 'names at least one event type')
    .max(limits.webhookEvents)
    .meta({examples: [['standup.*']]}),
  teams: z
    .array(reference)
    .min(1, 'names at least one team, or is null for all')
    .max(100)
    .nullable()
    .optional(),
  description: text(limits.description).nullable().optional(),
  enabled: z.boolean().optional(),
};

export const newWebhookSchema = z.strictObject(webhookMembers).meta({id: 'NewWebhook'});

export const webhookChangeSchema = z
  .strictObject({
    ...webhookMembers,
    url: webhookMembers.url.optional(),
    events: webhookMembers.events.optional(),
  })
  .meta({id: 'WebhookChange'});
