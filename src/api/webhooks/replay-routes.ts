import {limits} from '../../domain/core/limits.js';
import type {Services} from '../../service/services.js';
import {presentAnswer, presentPage} from '../http/present.js';
import {type Route, route} from '../http/route.js';
import {newReplaySchema, replaySchema} from './replay-schemas.js';
import {noQuerySchema, pageQuerySchema} from '../http/shared-schemas.js';

const webhookPath = '/v1/webhooks/{webhook}';
const collection = `${webhookPath}/replays`;
const single = `${collection}/{replay}`;
const tag = 'Replays';
const scope = 'webhooks:manage';

export function replayRoutes({replays}: Pick<Services, 'replays'>): Route[] {
  return [
    route({
      method: 'POST',
      path: `${webhookPath}/replay`,
      operation: 'replayWebhook',
      tag,
      summary: 'Send past events again',
      description: `Sends the events of some time that the webhook asks for now, and that happened after it was made, in the background and behind what is new. Each is a delivery of its own; its event, and so \`webhook-id\`, is the same, by which a receiver knows what it has. By default only what has failed for good is sent; \`missed\` makes up for what was never queued, since the webhook was disabled or too many waited. Progress: \`getReplay\`. One replay of a webhook runs at a time, and ${limits.replaysPerDay} may begin within 24 hours, dry runs not counted; while the webhook is disabled it waits.`,
      scope,
      query: noQuerySchema,
      body: newReplaySchema,
      success: {status: 202, schema: replaySchema},
      errors: ['forbidden', 'not_found', 'webhook_disabled', 'limit_reached'],
      handle: async ({call, params, body: {dry_run: dryRun, ...asked}}) =>
        presentAnswer(await replays.startReplay(call, params['webhook'] ?? '', {...asked, dryRun})),
    }),
    route({
      method: 'GET',
      path: collection,
      operation: 'listReplays',
      tag,
      summary: "List a webhook's replays",
      description: `Newest first; kept for 30 days after their end, the last ${limits.replaysPerWebhook.toLocaleString('en')} of them.`,
      scope,
      query: pageQuerySchema,
      success: {status: 200, schema: replaySchema, list: true},
      errors: ['forbidden', 'not_found', 'invalid_cursor'],
      handle: async (handled) => {
        const {limit = limits.pageDefault, cursor} = handled.query;
        const page = {past: handled.cursors.open(cursor), limit};
        const found = await replays.listReplays(handled.call, handled.params['webhook'] ?? '', page);
        const rows = found.replays.map((replay) => JSON.stringify(replay));
        return presentPage(rows, found.next, handled);
      },
    }),
    route({
      method: 'GET',
      path: single,
      operation: 'getReplay',
      tag,
      summary: 'Get a replay',
      scope,
      query: noQuerySchema,
      success: {status: 200, schema: replaySchema, tagged: false},
      errors: ['forbidden', 'not_found'],
      handle: async ({call, params}) => {
        const {webhook = '', replay = ''} = params;
        return {status: 200, body: JSON.stringify(await replays.findReplay(call, webhook, replay))};
      },
    }),
    route({
      method: 'DELETE',
      path: single,
      operation: 'cancelReplay',
      tag,
      summary: 'Cancel a replay',
      description:
        'What has not been sent is taken back; what is on the wire ends by itself. A replay that has ended stays as it is, with the same answer.',
      scope,
      query: noQuerySchema,
      success: {status: 204},
      errors: ['forbidden', 'not_found'],
      handle: async ({call, params}) => {
        const {webhook = '', replay = ''} = params;
        return presentAnswer(await replays.cancelReplay(call, webhook, replay));
      },
    }),
  ];
}
