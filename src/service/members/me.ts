import type {Access, Call} from '../../domain/core/access.js';
import {toInstant} from '../../domain/core/dates.js';
import {isId} from '../../domain/core/ids.js';
import type {Me} from '../../domain/members/me.js';
import type {ServiceContext} from '../core/context.js';
import {listOwnTeams} from '../core/memberships.js';
import type {Inbox} from '../inbox/inbox.js';
import {createWorkspaceService} from '../workspaces/workspaces.js';

type TokenCall = Call & {readonly token: NonNullable<Access['token']>};

/** Returns the caller's own data. Errors: `invalid_token` for a member who has been removed. */
export function createCallerFinder(context: ServiceContext, {inbox}: {readonly inbox: Inbox}) {
  const {records, teams, authority} = context;
  const {findWorkspace} = createWorkspaceService(context);

  async function listTeams(call: Call) {
    const directory = await teams.of(call);
    return (await listOwnTeams(records, directory, call, call.principal.id)).data;
  }

  return async function findMe(call: TokenCall): Promise<Me> {
    const {principal, scopes, token} = call;
    const isMember = isId('member', principal.id);
    const [{id, slug, name, leads_invite}, role, person, own, unread] = await Promise.all([
      findWorkspace(call),
      authority.findRole(call),
      isMember ? records.find(call.workspace, principal.id, call.deadline) : undefined,
      isMember && scopes.has('teams:read') ? listTeams(call) : [],
      isMember && scopes.has('standups:read') ? inbox.countUnread(call) : undefined,
    ]);
    return {
      object: 'me',
      // The name in the token's principal may be half a minute old.
      principal: person === undefined ? principal : {...principal, name: person.name},
      workspace: {id, slug, name, leads_invite},
      scopes: [...scopes],
      expires_at: toInstant(token.expiresAt),
      role,
      timezone: person?.timezone ?? null,
      teams: scopes.has('teams:read') ? own : null,
      inbox: unread === undefined ? null : {unread},
    };
  };
}
