import {parseWire} from '../../domain/core/resource.js';
import {limits} from '../../domain/core/limits.js';
import type {Services} from '../../service/services.js';
import {presentAnswer, presentPage, presentResource} from '../http/present.js';
import {type Route, defineRoute} from '../http/route.js';
import {noQuerySchema, pageQuerySchema} from '../http/shared-schemas.js';
import {teamMemberSchema, membershipSchema} from '../../domain/teams/team.js';

const collection = '/v1/teams/{team}/members';
const single = `${collection}/{member}`;
const tag = 'Teams';

export function createTeamMemberRoutes({teamMembers}: Services): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: collection,
      operation: 'listTeamMembers',
      tag,
      summary: 'List the members of a team',
      description: 'Returns the members of the team, the last to join first, with their current names.',
      scope: 'teams:read',
      query: pageQuerySchema,
      success: {status: 200, schema: teamMemberSchema, list: true},
      errors: ['not_found', 'invalid_cursor'],
      handle: async (input) => {
        const {limit = limits.pageDefault, cursor} = input.query;
        const page = {past: input.cursors.open(cursor), limit};
        const team = input.params['team'] ?? '';
        const {rows, next} = await teamMembers.listTeamMembers(input.call, team, page);
        return presentPage(rows, next, input);
      },
    }),
    defineRoute({
      method: 'GET',
      path: single,
      operation: 'getTeamMember',
      tag,
      summary: "Get a member's membership in a team",
      scope: 'teams:read',
      query: noQuerySchema,
      success: {status: 200, schema: teamMemberSchema},
      errors: ['not_found'],
      handle: async (input) => {
        const {team = '', member = ''} = input.params;
        const membership = await teamMembers.findTeamMember(input.call, team, member);
        // The answer has the member's current name, which is not part of the revision.
        return presentResource(membership, input, membership.member.name);
      },
    }),
    defineRoute({
      method: 'PUT',
      path: single,
      operation: 'setTeamMember',
      tag,
      summary: 'Add a member to a team',
      description:
        "Adds the member, or changes their role; without a body the role is `member`. An `observer` sees the team as its members do, and is never asked, expected or counted. A member who becomes an observer during an open run counts as having left. Only the team's leads, owners, admins and service accounts can send this request. A member added by a lead has `accepted: false`: leads can act for them only after they accept. They accept by writing for the team, or by this request for their own membership. In Slack, a member joins a team by posting in its channel.",
      scope: 'teams:write',
      query: noQuerySchema,
      body: membershipSchema.optional(),
      success: {status: 200, schema: teamMemberSchema, creates: true},
      errors: ['forbidden', 'not_found', 'precondition_failed'],
      handle: async ({call, params, body, expected}) => {
        const {team = '', member = ''} = params;
        const role = body?.role ?? 'member';
        const answer = await teamMembers.setTeamMember(call, team, member, role, expected);
        const membership = parseWire(answer.body);
        const {headers, ...reply} = presentAnswer(answer, undefined, membership.member?.name);
        const created = answer.outcome === 'created';
        return {
          ...reply,
          headers: {
            ...headers,
            ...(created && {
              Location: `/v1/teams/${encodeURIComponent(team)}/members/${membership.member?.id ?? member}`,
            }),
          },
        };
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: single,
      operation: 'removeTeamMember',
      tag,
      summary: 'Remove a member from a team',
      description:
        'Every caller who can add a member can remove them; every member can leave. Their standups are kept.',
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
