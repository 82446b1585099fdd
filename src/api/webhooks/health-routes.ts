import type {Services} from '../../service/services.js';
import {type Route, route} from '../http/route.js';
import {noQuerySchema} from '../http/shared-schemas.js';
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
  ];
}
