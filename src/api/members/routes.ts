import {limits} from '../../domain/core/limits.js';
import type {Services} from '../../service/services.js';
import {presentAnswer, presentPage, presentResource} from '../http/present.js';
import {type Route, route} from '../http/route.js';
import {
  eraseQuerySchema,
  listedMemberSchema,
  memberChangeSchema,
  memberQuerySchema,
  memberSchema,
  newMemberSchema,
} from './schemas.js';
import {noQuerySchema} from '../http/shared-schemas.js';
import {erasuresPath} from './erasure-routes.js';
import {exportFormats, streamNdjson} from '../http/exports.js';

const collection = '/v1/members';
const single = `${collection}/{member}`;
const tag = 'Members';

export function memberRoutes({members, exportPerson}: Pick<Services, 'members' | 'exportPerson'>): Route[] {
  return [
    route({
      method: 'POST',
      path: collection,
      operation: 'createMember',
      tag,
      summary: 'Add a member',
      description:
        'For owners, admins and service accounts; only an owner makes an owner. A person who uses Slack first becomes a member by themselves.',
      scope: 'members:write',
      query: noQuerySchema,
      body: newMemberSchema,
      success: {status: 201, schema: memberSchema},
      errors: ['not_found', 'forbidden', 'email_taken', 'slack_user_taken'],
      handle: async ({call, body}) => presentAnswer(await members.createMember(call, body), collection),
    }),
    route({
      method: 'GET',
      path: collection,
      operation: 'listMembers',
      tag,
      summary: 'List members',
      description:
        'Newest first; with `team`, who came into it last. A request looks at a bounded number of members, so with `q`, or with `role` in a team, a page may have fewer rows than `limit`, or none, while `has_more` is true: go on with `next_cursor` until it is false.',
      scope: 'members:read',
      query: memberQuerySchema,
      success: {status: 200, schema: listedMemberSchema, list: true},
      errors: ['team_not_found', 'invalid_cursor'],
      handle: async (handled) => {
        const {limit = limits.pageDefault, cursor, slack_user_id: slackUser, q: name} = handled.query;
        const {email, role, team, include} = handled.query;
        const past = handled.cursors.open(cursor);
        const query = {email, slackUser, role, name, team, past, limit, withTeams: include === 'teams'};
        const {rows, next} = await members.listMembers(handled.call, query);
        return presentPage(rows, next, handled);
      },
    }),
    route({
      method: 'GET',
      path: single,
      operation: 'getMember',
      tag,
      summary: 'Get a member',
      scope: 'members:read',
      query: noQuerySchema,
      success: {status: 200, schema: memberSchema},
      errors: ['not_found'],
      handle: async (handled) =>
        presentResource(await members.findMember(handled.call, handled.params['member'] ?? ''), handled),
    }),
    route({
      method: 'PATCH',
      path: single,
      operation: 'changeMember',
      tag,
      summary: 'Change a member',
      description:
        'A JSON merge patch. People change their own name and time zone; owners, admins and service accounts everything; owners are changed, made and unmade by owners only. A lower `role` revokes the tokens that they have made for others (`token.revoked`); their own go on with the new role.',
      scope: 'members:write',
      query: noQuerySchema,
      body: memberChangeSchema,
      success: {status: 200, schema: memberSchema},
      errors: [
        'forbidden',
        'not_found',
        'email_taken',
        'slack_user_taken',
        'last_owner',
        'precondition_failed',
      ],
      handle: async ({call, params, body, expected}) =>
        presentAnswer(await members.changeMember(call, params['member'] ?? '', body, expected)),
    }),
    route({
      method: 'GET',
      path: `${single}/export`,
      operation: 'exportMember',
      tag,
      summary: 'Export everything of a member',
      description:
        'All that is kept of a person, as NDJSON, a resource a line: the member, their absences, those that they have entered for others, their places in teams, their access tokens and those that they have made for others (without the secrets), their blockers, their standups. Absences, blockers and standups are each followed by what they said before their changes, the latest first: an `absence_revision` or `blocker_revision` has the `id` and the members of what it was, with the `revision` that it had then; a `standup_revision` is as in `GET /v1/standups/{standup}/revisions`. For themselves, and for those who run the workspace. It reaches as far as the token: without `teams:read`, `tokens:manage` and `standups:read` these are left out. When something goes wrong on the way the connection is cut.',
      scope: 'members:read',
      query: noQuerySchema,
      success: {status: 200, mediaTypes: [exportFormats.ndjson.mediaType]},
      errors: ['forbidden', 'not_found'],
      async handle({call, params}) {
        const {id, pages} = await exportPerson(call, params['member'] ?? '');
        return {
          status: 200,
          headers: {
            'Content-Type': exportFormats.ndjson.contentType,
            'Content-Disposition': `attachment; filename="${id}.ndjson"`,
          },
          stream: streamNdjson(pages()),
        };
      },
    }),
    route({
      method: 'DELETE',
      path: single,
      operation: 'deleteMember',
      tag,
      summary: 'Remove a member',
      description:
        'Their tokens, and those that they have made for others, are refused from the next request on (`token.revoked` tells of each), and they leave their teams. Their standups stay, under their name, unless `erase=true`: then a job removes these within moments, with a `standup.deleted` for each, and every earlier text and name of theirs; events about them keep their place and have `data: null`. `Location` says where to read how that gets on (`getErasure`). It cannot be undone. It can be done later: somebody who was removed can be erased as long as anything of theirs is kept.',
      scope: 'members:write',
      query: eraseQuerySchema,
      success: {status: 204, locates: true},
      errors: ['forbidden', 'not_found', 'last_owner', 'precondition_failed'],
      handle: async ({call, params, query, expected}) => {
        const erase = query.erase === 'true';
        const answer = await members.deleteMember(call, params['member'] ?? '', {erase}, expected);
        const {headers, ...reply} = presentAnswer(answer);
        const at = answer.id === undefined ? {} : {Location: `${erasuresPath}/${answer.id}`};
        return {...reply, headers: {...headers, ...at}};
      },
    }),
  ];
}
