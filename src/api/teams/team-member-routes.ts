import {parseWire} from '../../domain/core/resource.js';
import {limits} from '../../domain/core/limits.js';
import type {Services} from '../../service/services.js';
import {presentAnswer, presentPage, presentResource} from '../http/present.js';
import {type Route, route} from '../http/route.js';
import {noQuerySchema, pageQuerySchema} from '../http/shared-schemas.js';
import {teamMemberSchema, teamPlaceSchema} from './team-member-schemas.js';

const collection = '/v1/teams/{team}/members';
const single = `${collection}/{member}`;
const tag = 'Teams';

export function teamMemberRoutes({teamMembers}: Pick<Services, 'teamMembers'>): Route[] {
  return [
    route({
      method: 'GET',
      path: collection,
      operation: 'listTeamMembers',
      tag,
      summary: 'List who is in a team',
      description: 'Who joined last comes first. Everybody has the name that they have now.',
      scope: 'teams:read',
      query: pageQuerySchema,
      success: {status: 200, schema: teamMemberSchema, list: true},
      errors: ['not_found', 'invalid_cursor'],
      handle: async (handled) => {
        const {limit = limits.pageDefault, cursor} = handled.query;
        const page = {past: handled.cursors.open(cursor), limit};
        const team = handled.params['team'] ?? '';
        const {rows, next} = await teamMembers.listTeamMembers(handled.call, team, page);
        return presentPage(rows, next, handled);
      },
    }),
    route({
      method: 'GET',
      path: single,
      operation: 'getTeamMember',
      tag,
      summary: "Get a member's place in a team",
      scope: 'teams:read',
      query: noQuerySchema,
      success: {status: 200, schema: teamMemberSchema},
      errors: ['not_found'],
      handle: async (handled) => {
        const {team = '', member = ''} = handled.params;
        const place = await teamMembers.findTeamMember(handled.call, team, member);
        // The name is the present one, and no part of the revision.
        return presentResource(place, handled, place.member.name);
      },
    }),
    route({
      method: 'PUT',
      path: single,
      operation: 'setTeamMember',
      tag,
      summary: 'Put a member into a team',
      description:
        "Adds them, or gives them another role; without a body the role is `member`. An `observer` sees the team as its members do, and is never asked, expected or counted; who becomes one while a run is open is as if they had left. For the team's leads and for owners, admins and service accounts. Whom a lead adds has `accepted: false`: the leads may act for them only once they have accepted, by writing for the team or by this request for their own place. In Slack, posting in the team's channel joins it.",
      scope: 'teams:write',
      query: noQuerySchema,
      body: teamPlaceSchema.optional(),
      success: {status: 200, schema: teamMemberSchema, creates: true},
      errors: ['forbidden', 'not_found', 'precondition_failed'],
      handle: async ({call, params, body, expected}) => {
        const {team = '', member = ''} = params;
        const role = body?.role ?? 'member';
        const answer = await teamMembers.setTeamMember(call, team, member, role, expected);
        const place = parseWire(answer.body);
        const {headers, ...reply} = presentAnswer(answer, undefined, place.member?.name);
        const created = answer.outcome === 'created';
        return {
          ...reply,
          headers: {
            ...headers,
            ...(created && {
              Location: `/v1/teams/${encodeURIComponent(team)}/members/${place.member?.id ?? member}`,
            }),
          },
        };
      },
    }),
    route({
      method: 'DELETE',
      path: single,
      operation: 'removeTeamMember',
      tag,
      summary: 'Take a member out of a team',
      description: 'For those who may put them in; everybody may leave by themselves. Their standups stay.',
      scope: 'teams:write',
      query: noQuerySchema,
      success: {status: 204},
      errors: ['forbidden', 'not_found', 'precondition_failed'],
      handle: async ({call, params, expected}) => {
        const {team = '', member = ''} = params;
        return presentAnswer(await teamMembers.removeTeamMember(call, team, member, expected));
      },
    }),
  ];
}
