import type {Services} from '../../service/services.js';
import {limits} from '../../domain/core/limits.js';
import {presentAnswer} from '../http/present.js';
import {type Route, defineRoute} from '../http/route.js';
import {emptySchema, noQuerySchema} from '../http/shared-schemas.js';
import {webhookHealthSchema} from '../../domain/webhooks/webhook-health.js';

export function createWebhookHealthRoutes({webhookHealth}: Services): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/webhooks/{webhook}/health',
      operation: 'getWebhookHealth',
      tag: 'Webhooks',
      summary: 'Get the health of a webhook',
      description:
        'Returns how many attempts succeeded and how long they took, the waiting deliveries with their age, and the state of the breaker. `/metrics` shows the same to the operator.',
      scope: 'webhooks:manage',
      query: noQuerySchema,
      success: {status: 200, schema: webhookHealthSchema, tagged: false},
      errors: ['forbidden', 'not_found'],
      handle: async ({call, params}) => {
        const health = await webhookHealth.findHealth(call, params['webhook'] ?? '');
        return {status: 200, body: JSON.stringify(health)};
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/v1/webhooks/{webhook}/try',
      operation: 'tryWebhook',
      tag: 'Webhooks',
      summary: 'Send waiting deliveries now',
      description: `Use it after a receiver is repaired. Deliveries that wait for their next attempt are due now, in order, at most the first ${limits.triedAtOnce} of them; their schedule restarts. If the breaker is open, one probe is sent; after it succeeds, the rest follows a few at a time. After a failed probe, deliveries wait as before. The response is the health of the webhook, in which \`next_attempt_at\` and \`next_probe_at\` are now.`,
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
