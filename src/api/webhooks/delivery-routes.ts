import {limits} from '../../domain/core/limits.js';
import type {WireJson} from '../../domain/core/resource.js';
import type {Services} from '../../service/services.js';
import {presentAnswer, presentPage} from '../http/present.js';
import {type Route, route} from '../http/route.js';
import {attemptSchema, deliveriesQuerySchema, deliverySchema} from './delivery-schemas.js';
import {emptySchema, keptText, noQuerySchema, pageQuerySchema} from '../http/shared-schemas.js';

const single = '/v1/deliveries/{delivery}';
const tag = 'Deliveries';
const scope = 'webhooks:manage';

export function deliveryRoutes({deliveries}: Pick<Services, 'deliveries'>): Route[] {
  return [
    route({
      method: 'POST',
      path: '/v1/webhooks/{webhook}/test',
      operation: 'testWebhook',
      tag,
      summary: 'Test a webhook',
      description:
        'Makes an event `webhook.test` and sends it to this webhook alone, whatever its `events` and `teams` say, as every event is sent: signed, retried, and seen in the feed. The answer is its delivery; its attempts tell what came of it.',
      scope,
      query: noQuerySchema,
      body: emptySchema.optional(),
      success: {status: 202, schema: deliverySchema},
      errors: ['forbidden', 'not_found', 'webhook_disabled'],
      handle: async ({call, params}) =>
        presentAnswer(await deliveries.testWebhook(call, params['webhook'] ?? '')),
    }),
    route({
      method: 'GET',
      path: '/v1/webhooks/{webhook}/deliveries',
      operation: 'listDeliveries',
      tag,
      summary: "List a webhook's deliveries",
      description: `Newest event first; ${keptText}. With a filter a page may have fewer rows than \`limit\`, or none, while \`has_more\` is true: go on with \`next_cursor\` until it is false.`,
      scope,
      query: deliveriesQuerySchema,
      success: {status: 200, schema: deliverySchema, list: true},
      errors: ['forbidden', 'not_found', 'invalid_cursor'],
      handle: async (handled) => {
        const {limit = limits.pageDefault, cursor, event_type: eventType, ...filters} = handled.query;
        const page = {...filters, past: handled.cursors.open(cursor), limit, eventType};
        const webhook = handled.params['webhook'] ?? '';
        const {rows, next} = await deliveries.listDeliveries(handled.call, webhook, page);
        return presentPage(rows.map(toWire), next, handled);
      },
    }),
    route({
      method: 'GET',
      path: '/v1/events/{event}/deliveries',
      operation: 'listEventDeliveries',
      tag,
      summary: "List an event's deliveries",
      description: `To which webhooks an event went, and what came of it: those of replays too, the newest webhook first. Of webhooks that were deleted since there are none.`,
      scope,
      query: pageQuerySchema,
      success: {status: 200, schema: deliverySchema, list: true},
      errors: ['forbidden', 'not_found', 'invalid_cursor'],
      handle: async (handled) => {
        const {limit = limits.pageDefault, cursor} = handled.query;
        const page = {past: handled.cursors.open(cursor), limit};
        const event = handled.params['event'] ?? '';
        const {rows, next} = await deliveries.listEventDeliveries(handled.call, event, page);
        return presentPage(rows.map(toWire), next, handled);
      },
    }),
    route({
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
        return {status: 200, body: toWire(delivery)};
      },
    }),
    route({
      method: 'GET',
      path: `${single}/attempts`,
      operation: 'listAttempts',
      tag,
      summary: "List a delivery's attempts",
      description: `Newest first: when, how long, what was sent and what came back. The last ${limits.attemptsPerDelivery} of a delivery; ${keptText}.`,
      scope,
      query: pageQuerySchema,
      success: {status: 200, schema: attemptSchema, list: true},
      errors: ['forbidden', 'not_found', 'invalid_cursor'],
      handle: async (handled) => {
        const {limit = limits.pageDefault, cursor} = handled.query;
        const page = {past: handled.cursors.open(cursor), limit};
        const delivery = handled.params['delivery'] ?? '';
        const {attempts, next} = await deliveries.listAttempts(handled.call, delivery, page);
        return presentPage(attempts.map(toWire), next, handled);
      },
    }),
    route({
      method: 'POST',
      path: `${single}/redeliver`,
      operation: 'redeliver',
      tag,
      summary: 'Send a delivery again',
      description:
        'Whatever became of it: it is due now, and its schedule begins anew. Attempts are added to the same delivery; the receiver sees the same `webhook-id` and the same bytes. From 15 days after its event on, when a delivery expires, it is refused.',
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

function toWire(shown: object): WireJson {
  return JSON.stringify(shown);
}
