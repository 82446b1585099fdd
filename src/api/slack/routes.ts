import {limits} from '../../domain/core/limits.js';
import type {Services} from '../../service/services.js';
import {presentAnswer, presentPage} from '../http/present.js';
import {type Route, route} from '../http/route.js';
import {noQuerySchema, pageQuerySchema} from '../http/shared-schemas.js';
import {slackChannelSchema, slackConnectionSchema, slackTroubleSchema} from './schemas.js';

const path = '/v1/slack';
const tag = 'Slack';

export function slackRoutes({
  slackStatus,
  slackTroubles,
  slackConnections,
}: Pick<Services, 'slackStatus' | 'slackTroubles' | 'slackConnections'>): Route[] {
  return [
    route({
      method: 'GET',
      path,
      operation: 'getSlackConnection',
      tag,
      summary: 'See how the workspace is connected to Slack',
      description:
        'Whether it is, to which Slack workspace, since when and by whom; which permissions the bot lacks, and how to mend it. Slack is asked, so this may take two seconds. Where Slack is not set up it says so.',
      scope: 'teams:read',
      query: noQuerySchema,
      success: {status: 200, schema: slackConnectionSchema, tagged: false},
      errors: [],
      handle: async ({call}) => ({
        status: 200,
        body: JSON.stringify(await slackStatus.findConnection(call)),
      }),
    }),
    route({
      method: 'DELETE',
      path,
      operation: 'disconnectSlack',
      tag,
      summary: 'Disconnect Slack',
      description:
        'For owners and admins. The token of the bot is forgotten, and given back to Slack, which removes the bot there. What stands in channels stays; people keep their standups, places and links to Slack. What is still to be posted waits until the bot is installed again. Nothing happens where nothing is connected. A token that is set by configuration is removed there: 409.',
      scope: 'workspace:manage',
      query: noQuerySchema,
      success: {status: 204},
      errors: ['forbidden', 'set_by_configuration'],
      handle: async ({call}) => presentAnswer(await slackConnections.disconnectFor(call)),
    }),
    route({
      method: 'GET',
      path: `${path}/channels`,
      operation: 'listSlackChannels',
      tag,
      summary: 'List the channels that are posted to',
      description: 'Each belongs to one team; in the order in which the teams were made.',
      scope: 'teams:read',
      query: pageQuerySchema,
      success: {status: 200, schema: slackChannelSchema, list: true},
      errors: ['invalid_cursor'],
      handle: async (handled) => {
        const {limit = limits.pageDefault, cursor} = handled.query;
        const past = handled.cursors.open(cursor);
        const {rows, next} = await slackStatus.listChannels(handled.call, {past, limit});
        return presentPage(rows, next, handled);
      },
    }),
    route({
      method: 'GET',
      path: `${path}/troubles`,
      operation: 'listSlackTroubles',
      tag,
      summary: 'List channels that do not show everything',
      description:
        'Those of which something was noted in the last 30 days, the latest first. A page may have fewer rows than `limit` while `has_more` is true.',
      scope: 'teams:read',
      query: pageQuerySchema,
      success: {status: 200, schema: slackTroubleSchema, list: true},
      errors: ['invalid_cursor'],
      handle: async (handled) => {
        const {limit = limits.pageDefault, cursor} = handled.query;
        const past = handled.cursors.open(cursor);
        const {rows, next} = await slackTroubles.listTroubles(handled.call, {past, limit});
        return presentPage(rows, next, handled);
      },
    }),
    route({
      method: 'POST',
      path: `${path}/troubles/{trouble}/retry`,
      operation: 'retrySlackTrouble',
      tag,
      summary: 'Try again to post in a channel',
      description:
        'As *Try again* and *Post again* in Slack do: what waits for the channel is tried at once, and what was given up is posted again. In the background; the list of troubles says how it ends. For leads of the team, owners and admins. Asked twice, it does what it does once.',
      scope: 'teams:write',
      query: noQuerySchema,
      success: {status: 202, schema: slackTroubleSchema, tagged: false},
      errors: ['forbidden', 'not_found'],
      handle: async ({call, params}) =>
        presentAnswer(await slackTroubles.retry(call, params['trouble'] ?? '')),
    }),
  ];
}
