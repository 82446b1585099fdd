import type {Services} from '../../service/services.js';
import {limits} from '../../domain/core/limits.js';
import {presentAnswer} from '../http/present.js';
import {type Route, route} from '../http/route.js';
import {emptySchema, noQuerySchema} from '../http/shared-schemas.js';
import {webhookHealthSchema} from './health-schemas.js';

export function webhookHealthRoutes({webhookHealth}: Pick<Services, 'webhookHealth'>): Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/webhooks/{webhook}/health',
      operation: 'getWebhookHealth',
      tag: 'Webhooks',
      summary: 'See how a webhook is doing',
      description:
        'How many attempts succeeded and how long they took, what waits and since when, and whether its receiver is being spared. `/metrics` shows the same to whoever runs the service.',
      scope: 'webhooks:manage',
      query: noQuerySchema,
      success: {status: 200, schema: webhookHealthSchema, tagged: false},
      errors: ['forbidden', 'not_found'],
      handle: async ({call, params}) => {
        const health = await webhookHealth.findHealth(call, params['webhook'] ?? '');
        return {status: 200, body: JSON.stringify(health)};
      },
    }),
    route({
      method: 'POST',
      path: '/v1/webhooks/{webhook}/try',
      operation: 'tryWebhook',
      tag: 'Webhooks',
      summary: 'Send what waits now',
      description: `For a receiver that is repaired. What waits for its next attempt is due now, in its order, at most the ${limits.triedAtOnce} that would have come first; its schedule begins anew. Where the breaker is open, one probe goes out, and the rest follows a few at a time once that has succeeded; after a probe that fails it waits as before. The answer is the health of the webhook, in which \`next_attempt_at\` and \`next_probe_at\` are now.`,
      scope: 'webhooks:manage',
      query: noQuerySchema,
      body: emptySchema.optional(),
      success: {status: 202, schema: webhookHealthSchema},
      errors: ['forbidden', 'not_found', 'webhook_disabled'],
      handle: async ({call, params}) =>
        presentAnswer(await webhookHealth.tryWebhook(call, params['webhook'] ?? '')),
    }),
  ];
}
