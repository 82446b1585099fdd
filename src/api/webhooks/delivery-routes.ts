import {limits} from '../../domain/core/limits.js';
import type {WireJson} from '../../domain/core/resource.js';
import type {Services} from '../../service/services.js';
import {presentAnswer, presentPage} from '../http/present.js';
import {type Route, defineRoute} from '../http/route.js';
import {attemptSchema, deliverySchema} from '../../domain/webhooks/delivery.js';
import {deliveriesQuerySchema} from './delivery-schemas.js';
import {emptySchema, keptText, noQuerySchema, pageQuerySchema} from '../http/shared-schemas.js';

const single = '/v1/deliveries/{delivery}';
const tag = 'Deliveries';
const scope = 'webhooks:manage';

export function createDeliveryRoutes({deliveries}: Services): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/v1/webhooks/{webhook}/test',
      operation: 'testWebhook',
      tag,
      summary: 'Test a webhook',
      description:
        'Creates an event `webhook.test` and sends it to this webhook alone, regardless of its `events` and `teams`. It is sent as every event: signed, retried, and included in the feed. The response is its delivery; its attempts show the result.',
      scope,
      query: noQuerySchema,
      body: emptySchema.optional(),
      success: {status: 202, schema: deliverySchema},
      errors: ['forbidden', 'not_found', 'webhook_disabled'],
      handle: async ({call, params}) =>
        presentAnswer(await deliveries.testWebhook(call, params['webhook'] ?? '')),
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/webhooks/{webhook}/deliveries',
      operation: 'listDeliveries',
      tag,
      summary: "List a webhook's deliveries",
      description: `Returns the newest event first. Deliveries are ${keptText}. With a filter, a page can have fewer rows than \`limit\`, or none, while \`has_more\` is true. Continue with \`next_cursor\` until \`has_more\` is false.`,
      scope,
      query: deliveriesQuerySchema,
      success: {status: 200, schema: deliverySchema, list: true},
      errors: ['forbidden', 'not_found', 'invalid_cursor'],
      handle: async (input) => {
        const {limit = limits.pageDefault, cursor, event_type: eventType, ...filters} = input.query;
        const page = {...filters, past: input.cursors.open(cursor), limit, eventType};
        const webhook = input.params['webhook'] ?? '';
        const {rows, next} = await deliveries.listDeliveries(input.call, webhook, page);
        return presentPage(rows.map(convertDeliveriesToWire), next, input);
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/events/{event}/deliveries',
      operation: 'listEventDeliveries',
      tag,
      summary: "List an event's deliveries",
      description: `Returns the deliveries of an event with their state, the newest webhook first. Deliveries of replays are included; those of deleted webhooks are not.`,
      scope,
      query: pageQuerySchema,
      success: {status: 200, schema: deliverySchema, list: true},
      errors: ['forbidden', 'not_found', 'invalid_cursor'],
      handle: async (input) => {
        const {limit = limits.pageDefault, cursor} = input.query;
        const page = {past: input.cursors.open(cursor), limit};
        const event = input.params['event'] ?? '';
        const {rows, next} = await deliveries.listEventDeliveries(input.call, event, page);
        return presentPage(rows.map(convertDeliveriesToWire), next, input);
      },
    }),
    defineRoute({
      method: 'GET',
      path: single,
      operation: 'getDelivery',
      tag,
      summary: 'Get a delivery',
      scope,
      query: noQuerySchema,
      success: {status: 200, schema: deliverySchema, tagged: false},
      errors: ['forbidden', 'not_found'],
      handle: async ({call, params}) => {
        const delivery = await deliveries.findDelivery(call, params['delivery'] ?? '');
        return {status: 200, body: convertDeliveriesToWire(delivery)};
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${single}/attempts`,
      operation: 'listAttempts',
      tag,
      summary: "List a delivery's attempts",
      description: `Returns attempts newest first, with their time, duration, request and response. The last ${limits.attemptsPerDelivery} attempts of a delivery are ${keptText}.`,
      scope,
      query: pageQuerySchema,
      success: {status: 200, schema: attemptSchema, list: true},
      errors: ['forbidden', 'not_found', 'invalid_cursor'],
      handle: async (input) => {
        const {limit = limits.pageDefault, cursor} = input.query;
        const page = {past: input.cursors.open(cursor), limit};
        const delivery = input.params['delivery'] ?? '';
        const {attempts, next} = await deliveries.listAttempts(input.call, delivery, page);
        return presentPage(attempts.map(convertDeliveriesToWire), next, input);
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${single}/redeliver`,
      operation: 'redeliver',
      tag,
      summary: 'Send a delivery again',
      description:
        'Makes a delivery due now, in any state, and restarts its schedule. Attempts are added to the same delivery. The receiver gets the same `webhook-id` and the same bytes. From 15 days after its event on, when a delivery expires, the request is rejected.',
      scope,
      query: noQuerySchema,
      body: emptySchema.optional(),
      success: {status: 202, schema: deliverySchema},
      errors: ['forbidden', 'not_found', 'webhook_disabled'],
      handle: async ({call, params}) =>
        presentAnswer(await deliveries.redeliver(call, params['delivery'] ?? '')),
    }),
  ];
}

function convertDeliveriesToWire(shown: object): WireJson {
  return JSON.stringify(shown);
}
