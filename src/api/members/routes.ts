import {limits} from '../../domain/core/limits.js';
import type {Services} from '../../service/services.js';
import {presentAnswer, presentPage, presentResource} from '../http/present.js';
import {type Route, defineRoute} from '../http/route.js';
import {memberChangeSchema, memberSchema, newMemberSchema} from '../../domain/workspaces/workspace.js';
import {eraseQuerySchema, listedMemberSchema, memberQuerySchema} from './schemas.js';
import {noQuerySchema} from '../http/shared-schemas.js';
import {erasuresPath} from './erasure-routes.js';
import {exportFormats, streamNdjson} from '../http/exports.js';

const collection = '/v1/members';
const single = `${collection}/{member}`;
const tag = 'Members';

export function createMemberRoutes({members, exportPerson}: Services): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: collection,
      operation: 'createMember',
      tag,
      summary: 'Add a member',
      description:
        'Only owners, admins and service accounts can add members; only an owner can add an owner. A person who uses the bot in Slack becomes a member automatically.',
      scope: 'members:write',
      query: noQuerySchema,
      body: newMemberSchema,
      success: {status: 201, schema: memberSchema},
      errors: ['not_found', 'forbidden', 'email_taken', 'slack_user_taken'],
      handle: async ({call, body}) => presentAnswer(await members.createMember(call, body), collection),
    }),
    defineRoute({
      method: 'GET',
      path: collection,
      operation: 'listMembers',
      tag,
      summary: 'List members',
      description:
        'Returns members newest first; with `team`, the last to join the team first. A request reads a bounded number of members. With `q`, or with `role` in a team, a page can have fewer rows than `limit`, or none, while `has_more` is true. Continue with `next_cursor` until `has_more` is false.',
      scope: 'members:read',
      query: memberQuerySchema,
      success: {status: 200, schema: listedMemberSchema, list: true},
      errors: ['team_not_found', 'invalid_cursor'],
      handle: async (input) => {
        const {limit = limits.pageDefault, cursor, slack_user_id: slackUser, q: name} = input.query;
        const {email, role, team, include} = input.query;
        const past = input.cursors.open(cursor);
        const query = {email, slackUser, role, name, team, past, limit, withTeams: include === 'teams'};
        const {rows, next} = await members.listMembers(input.call, query);
        return presentPage(rows, next, input);
      },
    }),
    defineRoute({
      method: 'GET',
      path: single,
      operation: 'getMember',
      tag,
      summary: 'Get a member',
      scope: 'members:read',
      query: noQuerySchema,
      success: {status: 200, schema: memberSchema},
      errors: ['not_found'],
      handle: async (input) =>
        presentResource(await members.findMember(input.call, input.params['member'] ?? ''), input),
    }),
    defineRoute({
      method: 'PATCH',
      path: single,
      operation: 'changeMember',
      tag,
      summary: 'Change a member',
      description:
        'The body is a JSON merge patch. Members can change their own name, time zone, language, reminders and holidays; owners, admins and service accounts can change everything. Only owners can change owners, or give and remove the role of owner. A lower `role` revokes the tokens the member created for others (`token.revoked`). Their own tokens stay valid with the new role.',
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
    defineRoute({
      method: 'GET',
      path: `${single}/export`,
      operation: 'exportMember',
      tag,
      summary: 'Export all data of a member',
      description:
        'Returns all data of a member as NDJSON, one resource on each line. It has the member, their absences and those they entered for others, and their memberships in teams. It has their access tokens and those they created for others (without the secrets), their blockers, their comments, their standups and the items of their inbox that the caller may see, without excerpts. The export by the member ends with their drafts. Each absence, blocker, comment and standup is followed by its earlier versions, the latest first. An `absence_revision`, `blocker_revision` or `comment_revision` has the `id` and the members of the earlier version, with its `revision`. A `standup_revision` is as in `GET /v1/standups/{standup}/revisions`. Only the member, owners, admins and service accounts can export. Without the scopes `teams:read`, `tokens:manage` and `standups:read`, the data they cover is left out. After an error the connection is closed early.',
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
    defineRoute({
      method: 'DELETE',
      path: single,
      operation: 'deleteMember',
      tag,
      summary: 'Remove a member',
      description:
        'Their tokens, and the tokens they created for others, are rejected from the next request on, with a `token.revoked` for each. They leave their teams. Their standups are kept under their name, unless `erase=true`. Then a job deletes their standups within moments, with a `standup.deleted` for each. It also deletes their earlier texts and names; events about them keep their position and have `data: null`. `Location` is the path of the progress (`getErasure`). An erasure cannot be undone. A removed member can be erased later, as long as any of their data is kept.',
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
