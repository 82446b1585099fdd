import {teamReadersSchema} from '../../domain/teams/team-readers.js';
import type {Services} from '../../service/services.js';
import {limits} from '../../domain/core/limits.js';
import {presentAnswer, presentPage, presentResource} from '../http/present.js';
import {type Route, defineRoute} from '../http/route.js';
import {noQuerySchema} from '../http/shared-schemas.js';
import {newTeamSchema, teamChangeSchema, teamSchema} from '../../domain/teams/team.js';
import {forceQuerySchema, teamQuerySchema} from './schemas.js';

const collection = '/v1/teams';
const single = `${collection}/{team}`;
const tag = 'Teams';

export function createTeamRoutes({teams, listTeamReaders}: Services): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: collection,
      operation: 'createTeam',
      tag,
      summary: 'Create a team',
      description:
        'The slug is permanent. A member who creates a team becomes its first lead. Only owners, admins and service accounts can set `slack_channel_id`; other members set up a team in its channel, with `/standup`.',
      scope: 'teams:write',
      query: noQuerySchema,
      body: newTeamSchema,
      success: {status: 201, schema: teamSchema},
      errors: ['forbidden', 'insufficient_scope', 'slug_taken', 'channel_is_public', 'limit_reached'],
      handle: async ({call, body}) => presentAnswer(await teams.createTeam(call, body), collection),
    }),
    defineRoute({
      method: 'GET',
      path: collection,
      operation: 'listTeams',
      tag,
      summary: 'List teams',
      description: 'Returns the newest first.',
      scope: 'teams:read',
      query: teamQuerySchema,
      success: {status: 200, schema: teamSchema, list: true},
      errors: ['invalid_cursor'],
      handle: async (input) => {
        const {limit = limits.pageDefault, cursor, q: name, member} = input.query;
        const past = input.cursors.open(cursor);
        const {rows, next} = await teams.listTeams(input.call, {name, member, past, limit});
        return presentPage(rows, next, input);
      },
    }),
    defineRoute({
      method: 'GET',
      path: single,
      operation: 'getTeam',
      tag,
      summary: 'Get a team',
      scope: 'teams:read',
      query: noQuerySchema,
      success: {status: 200, schema: teamSchema},
      errors: ['not_found'],
      handle: async (input) =>
        presentResource(await teams.findTeam(input.call, input.params['team'] ?? ''), input),
    }),
    defineRoute({
      method: 'GET',
      path: `${single}/readers`,
      operation: 'getTeamReaders',
      tag: 'Teams',
      summary: 'Get who can read a team',
      description:
        'Counts and names the people, service accounts and webhooks that can read a private team, for leads, owners, admins and service accounts. `others` and `standups` say what changes if the team becomes open.',
      scope: 'teams:read',
      query: noQuerySchema,
      success: {status: 200, schema: teamReadersSchema, tagged: false},
      errors: ['forbidden', 'not_found'],
      handle: async ({call, params}) => ({
        status: 200,
        body: JSON.stringify(await listTeamReaders(call, params['team'] ?? '')),
      }),
    }),
    defineRoute({
      method: 'PATCH',
      path: single,
      operation: 'changeTeam',
      tag,
      summary: 'Change a team',
      description:
        'The body is a JSON merge patch. Only owners, admins and service accounts can change `slack_channel_id`; a lead chooses the channel in Slack.',
      scope: 'teams:write',
      query: noQuerySchema,
      body: teamChangeSchema,
      success: {status: 200, schema: teamSchema},
      errors: ['forbidden', 'insufficient_scope', 'not_found', 'channel_is_public', 'precondition_failed'],
      handle: async ({call, params, body, expected}) =>
        presentAnswer(await teams.changeTeam(call, params['team'] ?? '', body, expected)),
    }),
    defineRoute({
      method: 'DELETE',
      path: single,
      operation: 'deleteTeam',
      tag,
      summary: 'Delete a team',
      description:
        'A team with standups needs `force=true`. Its standups return 404 from then on, and are deleted in the background without an event for each.',
      scope: 'teams:write',
      query: forceQuerySchema,
      success: {status: 204},
      errors: ['forbidden', 'not_found', 'team_not_empty', 'precondition_failed'],
      handle: async ({call, params, query, expected}) =>
        presentAnswer(
          await teams.deleteTeam(call, params['team'] ?? '', {force: query.force === 'true'}, expected),
        ),
    }),
  ];
}
