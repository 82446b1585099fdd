import {limits} from '../../domain/core/limits.js';
import {parseWire} from '../../domain/core/resource.js';
import {inviteSchema, newInviteSchema, type ShownInvite} from '../../domain/invites/invite.js';
import type {Services} from '../../service/services.js';
import {presentAnswer, presentPage, presentResource} from '../http/present.js';
import {type Route, defineRoute} from '../http/route.js';
import {noQuerySchema} from '../http/shared-schemas.js';
import {
  acceptedInviteSchema,
  createdInvitesSchema,
  inviteQuerySchema,
  revocationQuerySchema,
} from './schemas.js';

const collection = '/v1/invites';
const single = `${collection}/{invite}`;
const tag = 'Invites';

export function createInviteRoutes({invites}: Services): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: collection,
      operation: 'createInvite',
      tag,
      summary: 'Invite people',
      description:
        'Creates an invite for each of `emails`, or without them one link for several people. Owners can invite members and admins; admins and service accounts members; leads members, into teams they lead, as member or observer. The right is checked again when an invite is accepted. An open invite to the same address is revoked; by a lead, only their own. Addresses of members are passed over (`skipped`), so `emails` also need the scope `members:read`. Each address gets a mail with its link. Where mail is not set up, and for a link, give the `url` to people yourself: it is only in this response and in repeats with the same `Idempotency-Key`. A workspace can create 50 invites a day (UTC) in its first week, then 500, and 3 to one address. A lead can have 50 open ones.',
      scope: 'members:write',
      query: noQuerySchema,
      body: newInviteSchema,
      success: {status: 201, schema: createdInvitesSchema, tagged: false},
      errors: ['forbidden', 'team_not_found', 'limit_reached', 'insufficient_scope', 'not_found'],
      handle: async ({call, body}) => presentAnswer(await invites.createInvites(call, body)),
    }),
    defineRoute({
      method: 'GET',
      path: collection,
      operation: 'listInvites',
      tag,
      summary: 'List invites',
      description:
        'Returns open invites newest first, unless `state` is set: all of the workspace for owners, admins and service accounts, otherwise your own. An invite is deleted 30 days after `expires_at`. A page can have fewer rows than `limit`, or none, while `has_more` is true.',
      scope: 'members:read',
      query: inviteQuerySchema,
      success: {status: 200, schema: inviteSchema, list: true},
      errors: ['team_not_found', 'invalid_cursor'],
      handle: async (input) => {
        const {limit = limits.pageDefault, cursor, state = 'open', team, email} = input.query;
        const query = {team, email, ...(state !== 'all' && {state})};
        const past = input.cursors.open(cursor);
        const {rows, next} = await invites.listInvites(input.call, {...query, past, limit});
        return presentPage(rows, next, input);
      },
    }),
    // Before the path of a single invite, which `accept` would match, too.
    defineRoute({
      method: 'POST',
      path: `${collection}/accept`,
      operation: 'acceptInvite',
      tag,
      summary: 'Accept an invite as a member',
      description:
        'Adds you to the teams of the invite. Your roles stay as they are. If you are in all of the teams, nothing is used up. Only members can accept. A person without an account opens the link in a browser instead. The invite of an address can be accepted only by the member with that address.',
      scope: 'teams:write',
      query: noQuerySchema,
      body: acceptedInviteSchema,
      success: {status: 200, schema: inviteSchema},
      errors: ['not_found', 'forbidden'],
      handle: async ({call, body}) => {
        const answer = await invites.acceptInvite(call, body.link);
        return presentAnswer(answer, undefined, computeMark(parseWire(answer.body)));
      },
    }),
    defineRoute({
      method: 'GET',
      path: single,
      operation: 'getInvite',
      tag,
      summary: 'Get an invite',
      description:
        'Returns the invite without its URL. `ETag` also changes with `state`, `mail` and the name of the creator; the revision does not.',
      scope: 'members:read',
      query: noQuerySchema,
      success: {status: 200, schema: inviteSchema},
      errors: ['not_found'],
      handle: async (input) => {
        const invite = await invites.findInvite(input.call, input.params['invite'] ?? '');
        return presentResource(invite, input, computeMark(invite));
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: single,
      operation: 'revokeInvite',
      tag,
      summary: 'End an invite',
      description:
        'From the next request on, the link only says that the invite was ended. Its creator, owners, admins and service accounts can end it. With `erase=true` the address is deleted at once, and events about it have `data: null`. Ending it again changes nothing.',
      scope: 'members:write',
      query: revocationQuerySchema,
      success: {status: 204},
      errors: ['forbidden', 'not_found', 'precondition_failed'],
      handle: async ({call, params, query, expected}) => {
        const erase = query.erase === 'true';
        return presentAnswer(await invites.revokeInvite(call, params['invite'] ?? '', {erase}, expected));
      },
    }),
  ];
}

/** Returns what an invite shows beside its revision, for its entity tag. */
function computeMark({state, created_by: maker, mail}: ShownInvite): string {
  return JSON.stringify([state, maker?.name, mail]);
}
