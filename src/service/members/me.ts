import type {Access, Call, Principal} from '../../domain/core/access.js';
import {toInstant} from '../../domain/core/dates.js';
import {type Id, isId} from '../../domain/core/ids.js';
import type {ServiceContext} from '../core/context.js';
import type {CallerRole} from '../core/authority.js';
import {listOwnTeams, type OwnTeam} from '../core/memberships.js';
import {createWorkspaceService} from '../workspaces/workspaces.js';

/** The caller of a request: name, rights and teams. */
export interface Me {
  readonly object: 'me';
  readonly principal: Principal;
  readonly workspace: {readonly id: Id<'workspace'>; readonly slug: string; readonly name: string};
  readonly scopes: readonly string[];
  readonly expires_at: string;
  readonly role: CallerRole;
  /** The member's time zone; null for a service account. */
  readonly timezone: string | null;
  /** The caller's teams, sorted by name; null if the token may not read teams. */
  readonly teams: readonly OwnTeam[] | null;
}

type TokenCall = Call & {readonly token: NonNullable<Access['token']>};

/** Returns the caller's own data. Errors: `invalid_token` for a member who has been removed. */
export function createCallerFinder(context: ServiceContext) {
  const {records, teams, authority} = context;
  const {findWorkspace} = createWorkspaceService(context);

  async function listTeams(call: Call): Promise<readonly OwnTeam[]> {
    const directory = await teams.fresh(call.workspace, call.deadline);
    return (await listOwnTeams(records, directory, call, call.principal.id)).data;
  }

  return async function findMe(call: TokenCall): Promise<Me> {
    const {principal, scopes, token} = call;
    const isMember = isId('member', principal.id);
    const [{id, slug, name}, role, person, own] = await Promise.all([
      findWorkspace(call),
      authority.findRole(call),
      isMember ? records.find(call.workspace, principal.id, call.deadline) : undefined,
      isMember && scopes.has('teams:read') ? listTeams(call) : [],
    ]);
    return {
      object: 'me',
      principal,
      workspace: {id, slug, name},
      scopes: [...scopes],
      expires_at: toInstant(token.expiresAt),
      role,
      timezone: person?.timezone ?? null,
      teams: scopes.has('teams:read') ? own : null,
    };
  };
}
