import {limits} from '../../domain/core/limits.js';
import type {Services} from '../../service/services.js';
import {presentAnswer, presentPage} from '../http/present.js';
import {type Route, defineRoute} from '../http/route.js';
import {newReplaySchema, replaySchema} from '../../domain/webhooks/replay.js';
import {noQuerySchema, pageQuerySchema} from '../http/shared-schemas.js';

const webhookPath = '/v1/webhooks/{webhook}';
const collection = `${webhookPath}/replays`;
const single = `${collection}/{replay}`;
const tag = 'Replays';
const scope = 'webhooks:manage';

export function createReplayRoutes({replays}: Services): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: `${webhookPath}/replay`,
      operation: 'replayWebhook',
      tag,
      summary: 'Send past events again',
      description: `Sends past events of a period that match the current settings of the webhook and happened after it was created. A replay runs in the background, behind new events. Each event gets a new delivery with the same event and \`webhook-id\`, so a receiver can drop duplicates. By default only deliveries that ended without success are sent. \`missed\` sends events that were never queued, because the webhook was disabled or too many deliveries waited. \`getReplay\` returns the progress. One replay of a webhook runs at a time, and ${limits.replaysPerDay} can start within 24 hours, dry runs not counted. A replay waits while the webhook is disabled.`,
      scope,
      query: noQuerySchema,
      body: newReplaySchema,
      success: {status: 202, schema: replaySchema},
      errors: ['forbidden', 'not_found', 'webhook_disabled', 'limit_reached'],
      handle: async ({call, params, body: {dry_run: dryRun, ...asked}}) =>
        presentAnswer(await replays.startReplay(call, params['webhook'] ?? '', {...asked, dryRun})),
    }),
    defineRoute({
      method: 'GET',
      path: collection,
      operation: 'listReplays',
      tag,
      summary: "List a webhook's replays",
      description: `Returns replays newest first. The last ${limits.replaysPerWebhook.toLocaleString('en')} are kept, for 30 days after their end.`,
      scope,
      query: pageQuerySchema,
      success: {status: 200, schema: replaySchema, list: true},
      errors: ['forbidden', 'not_found', 'invalid_cursor'],
      handle: async (input) => {
        const {limit = limits.pageDefault, cursor} = input.query;
        const page = {past: input.cursors.open(cursor), limit};
        const found = await replays.listReplays(input.call, input.params['webhook'] ?? '', page);
        const rows = found.replays.map((replay) => JSON.stringify(replay));
        return presentPage(rows, found.next, input);
      },
    }),
    defineRoute({
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
    defineRoute({
      method: 'DELETE',
      path: single,
      operation: 'cancelReplay',
      tag,
      summary: 'Cancel a replay',
      description:
        'Unsent deliveries are cancelled; deliveries under way are completed. A replay that has ended does not change, and the response is the same.',
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
