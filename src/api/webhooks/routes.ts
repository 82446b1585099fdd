import type {Services} from '../../service/services.js';
import {limits} from '../../domain/core/limits.js';
import {presentAnswer, presentPage, presentResource} from '../http/present.js';
import {type Route, defineRoute} from '../http/route.js';
import {noQuerySchema} from '../http/shared-schemas.js';
import {newWebhookSchema, webhookChangeSchema, webhookSchema} from '../../domain/webhooks/webhook.js';
import {
  createdWebhookSchema,
  listedWebhookSchema,
  rotatedWebhookSchema,
  rotationSchema,
  webhookQuerySchema,
} from './schemas.js';

const collection = '/v1/webhooks';
const single = `${collection}/{webhook}`;
const tag = 'Webhooks';
const scope = 'webhooks:manage';

export function createWebhookRoutes({webhooks}: Services): Route[] {
  /** Finds wrong webhook URLs. The allowed ones depend on this installation, so no schema can check them. */
  const alsoWrong = (body: unknown) => {
    const {url} = (body ?? {}) as {readonly url?: unknown};
    return typeof url === 'string' ? webhooks.findUrlErrors(url) : [];
  };
  return [
    defineRoute({
      method: 'POST',
      path: collection,
      operation: 'createWebhook',
      tag,
      summary: 'Create a webhook',
      description: 'The response has the signing secret, which is shown only once.',
      scope,
      query: noQuerySchema,
      body: newWebhookSchema,
      alsoWrong,
      success: {status: 201, schema: createdWebhookSchema},
      errors: ['forbidden', 'webhook_url_forbidden', 'team_not_found', 'limit_reached'],
      handle: async ({call, body}) => presentAnswer(await webhooks.createWebhook(call, body), collection),
    }),
    defineRoute({
      method: 'GET',
      path: collection,
      operation: 'listWebhooks',
      tag,
      summary: 'List webhooks',
      description: 'Returns webhooks newest first, without their secrets.',
      scope,
      query: webhookQuerySchema,
      success: {status: 200, schema: listedWebhookSchema, list: true},
      errors: ['forbidden', 'invalid_cursor'],
      handle: async (input) => {
        const {limit = limits.pageDefault, cursor, include} = input.query;
        const query = {past: input.cursors.open(cursor), limit, withHealth: include === 'health'};
        const {rows, next} = await webhooks.listWebhooks(input.call, query);
        return presentPage(rows, next, input);
      },
    }),
    defineRoute({
      method: 'GET',
      path: single,
      operation: 'getWebhook',
      tag,
      summary: 'Get a webhook',
      scope,
      query: noQuerySchema,
      success: {status: 200, schema: webhookSchema},
      errors: ['forbidden', 'not_found'],
      handle: async (input) =>
        presentResource(await webhooks.findWebhook(input.call, input.params['webhook'] ?? ''), input),
    }),
    defineRoute({
      method: 'PATCH',
      path: single,
      operation: 'changeWebhook',
      tag,
      summary: 'Change a webhook',
      description:
        'The body is a JSON merge patch. Nothing is sent to a disabled webhook. Its waiting deliveries are held until it is enabled. New events are not queued; a replay of `missed` events sends them. Enabling a webhook or changing its `url` resets its failures.',
      scope,
      query: noQuerySchema,
      body: webhookChangeSchema,
      alsoWrong,
      success: {status: 200, schema: webhookSchema},
      errors: ['forbidden', 'not_found', 'precondition_failed', 'webhook_url_forbidden', 'team_not_found'],
      handle: async ({call, params, body, expected}) =>
        presentAnswer(await webhooks.changeWebhook(call, params['webhook'] ?? '', body, expected)),
    }),
    defineRoute({
      method: 'POST',
      path: `${single}/rotate-secret`,
      operation: 'rotateWebhookSecret',
      tag,
      summary: "Replace a webhook's secret",
      description:
        'The response has the new signing secret, which is shown only once. During the overlap, `webhook-signature` has a signature by each secret, separated by a space, the newest first. A receiver can verify with either secret. At most the last three secrets sign, and none outlasts the overlap of a later rotation.',
      scope,
      query: noQuerySchema,
      body: rotationSchema.optional(),
      success: {status: 200, schema: rotatedWebhookSchema},
      errors: ['forbidden', 'not_found'],
      handle: async ({call, params, body}) =>
        presentAnswer(await webhooks.rotateSecret(call, params['webhook'] ?? '', body?.overlap_seconds)),
    }),
    defineRoute({
      method: 'DELETE',
      path: single,
      operation: 'deleteWebhook',
      tag,
      summary: 'Delete a webhook',
      description: 'Waiting deliveries are not sent.',
      scope,
      query: noQuerySchema,
      success: {status: 204},
      errors: ['forbidden', 'not_found', 'precondition_failed'],
      handle: async ({call, params, expected}) =>
        presentAnswer(await webhooks.deleteWebhook(call, params['webhook'] ?? '', expected)),
    }),
  ];
}
