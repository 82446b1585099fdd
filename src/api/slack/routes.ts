import {limits} from '../../domain/core/limits.js';
import type {Services} from '../../service/services.js';
import {presentAnswer, presentPage} from '../http/present.js';
import {type Route, defineRoute} from '../http/route.js';
import {noQuerySchema, pageQuerySchema} from '../http/shared-schemas.js';
import {
  slackChannelSchema,
  slackConnectionSchema,
  slackTroubleSchema,
} from '../../domain/slack/slack-status.js';

const path = '/v1/slack';
const tag = 'Slack';

export function createSlackRoutes({slackStatus, slackTroubles, slackConnections}: Services): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path,
      operation: 'getSlackConnection',
      tag,
      summary: 'Get the Slack connection of the workspace',
      description:
        'Returns whether Slack is connected, the Slack workspace, and when and by which member it was connected. It also returns the missing permissions of the bot and how to repair the connection. The service asks Slack, so the request can take two seconds. The response says if Slack is not set up.',
      scope: 'teams:read',
      query: noQuerySchema,
      success: {status: 200, schema: slackConnectionSchema, tagged: false},
      errors: [],
      handle: async ({call}) => ({
        status: 200,
        body: JSON.stringify(await slackStatus.findConnection(call)),
      }),
    }),
    defineRoute({
      method: 'DELETE',
      path,
      operation: 'disconnectSlack',
      tag,
      summary: 'Disconnect Slack',
      description:
        'Only owners, admins and service accounts can disconnect Slack. The service deletes and revokes the token of the bot, and Slack removes the bot. Messages in channels are kept. Members keep their standups, memberships and links to Slack. Unsent messages wait until the bot is installed again. The request has no effect if nothing is connected. A token set by configuration must be removed there: 409.',
      scope: 'workspace:manage',
      query: noQuerySchema,
      success: {status: 204},
      errors: ['forbidden', 'set_by_configuration'],
      handle: async ({call}) => presentAnswer(await slackConnections.disconnectFor(call)),
    }),
    defineRoute({
      method: 'GET',
      path: `${path}/channels`,
      operation: 'listSlackChannels',
      tag,
      summary: 'List Slack channels',
      description:
        'Returns the channels that the service posts to, in the order in which their teams were created. Each channel belongs to one team.',
      scope: 'teams:read',
      query: pageQuerySchema,
      success: {status: 200, schema: slackChannelSchema, list: true},
      errors: ['invalid_cursor'],
      handle: async (input) => {
        const {limit = limits.pageDefault, cursor} = input.query;
        const past = input.cursors.open(cursor);
        const {rows, next} = await slackStatus.listChannels(input.call, {past, limit});
        return presentPage(rows, next, input);
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${path}/troubles`,
      operation: 'listSlackTroubles',
      tag,
      summary: 'List Slack channels with errors',
      description:
        'Returns channels with an error in the last 30 days, the latest first. A page can have fewer rows than `limit` while `has_more` is true.',
      scope: 'teams:read',
      query: pageQuerySchema,
      success: {status: 200, schema: slackTroubleSchema, list: true},
      errors: ['invalid_cursor'],
      handle: async (input) => {
        const {limit = limits.pageDefault, cursor} = input.query;
        const past = input.cursors.open(cursor);
        const {rows, next} = await slackTroubles.listTroubles(input.call, {past, limit});
        return presentPage(rows, next, input);
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${path}/troubles/{trouble}/retry`,
      operation: 'retrySlackTrouble',
      tag,
      summary: 'Retry posts to a Slack channel',
      description:
        'Does the same as *Try again* and *Post again* in Slack. Waiting posts of the channel are retried at once, and posts that were given up are sent again. This happens in the background; the list of troubles shows the result. Only leads of the team, owners, admins and service accounts can retry. A repeated request has no further effect.',
      scope: 'teams:write',
      query: noQuerySchema,
      success: {status: 202, schema: slackTroubleSchema, tagged: false},
      errors: ['forbidden', 'not_found'],
      handle: async ({call, params}) =>
        presentAnswer(await slackTroubles.retry(call, params['trouble'] ?? '')),
    }),
  ];
}
