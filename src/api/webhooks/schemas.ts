import {z} from 'zod';
import {lifetimes} from '../../domain/core/limits.js';
import {instant} from '../../domain/core/schemas.js';
import {webhookSchema} from '../../domain/webhooks/webhook.js';
import {webhookHealthSchema} from '../../domain/webhooks/webhook-health.js';
import {pageParameters} from '../http/shared-schemas.js';

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
