import {type Id, storedId} from '../../domain/core/ids.js';
import type {Caller, PrincipalId, RequestContext} from '../../domain/core/access.js';
import {limits} from '../../domain/core/limits.js';
import {lists, type Page, type Row} from '../../domain/core/lists.js';
import {parseWire, readTextFieldOfJson} from '../../domain/core/resource.js';
import type {Team, TeamDirectory, TeamMember, TeamRole} from '../../domain/teams/team.js';
import {resolveMember} from './member-references.js';
import type {Records} from '../../store/core/records.js';

/** Returns a member's memberships in all teams, latest first: at most one for each team. */
export async function listMembershipsOf(
  records: Records,
  {workspace, deadline}: RequestContext,
  member: PrincipalId,
): Promise<TeamMember[]> {
  const {rows} = await readMembershipsOf(records, {workspace, deadline}, member);
  return rows.map(({json}) => parseWire(json));
}

/** A team that a member is in, with the member's role. */
export interface OwnTeam extends Pick<Team, 'id' | 'slug' | 'name' | 'visibility'> {
  readonly role: TeamRole;
}

/** Returns a member's teams, sorted by name. If there are more than `limit`, returns those joined last. */
export async function listOwnTeams(
  records: Records,
  directory: TeamDirectory,
  call: RequestContext,
  member: PrincipalId,
  limit: number = limits.teamsPerWorkspace,
): Promise<{readonly data: readonly OwnTeam[]; readonly has_more: boolean}> {
  const {rows, next} = await readMembershipsOf(records, call, member, limit);
  const own = rows.flatMap(({json}) => {
    const membership = parseWire(json);
    const team = directory.byReference(membership.team_id);
    // A list is found by the second half of a member's id, which two ids can share. So the whole id of each
    // row is compared.
    if (team === undefined || membership.member.id !== member) return [];
    const {id, slug, name, visibility} = team;
    return [{id, slug, name, role: membership.role, visibility}];
  });
  const data = own.toSorted((a, b) => a.name.localeCompare(b.name) || a.slug.localeCompare(b.slug));
  return {data, has_more: next !== undefined};
}

/** Returns the ids of the teams that a member is in, with the member's role in each. */
export async function listRolesOf(
  records: Records,
  call: RequestContext,
  member: PrincipalId,
): Promise<ReadonlyMap<Id<'team'>, TeamRole>> {
  const {rows} = await readMembershipsOf(records, call, member);
  return new Map(
    rows.map(({json}) => [
      storedId<'team'>(readTextFieldOfJson(json, 'team_id')),
      readTextFieldOfJson(json, 'role') as TeamRole,
    ]),
  );
}

async function readMembershipsOf(
  records: Records,
  {workspace, deadline}: RequestContext,
  member: PrincipalId,
  limit: number = limits.teamsPerWorkspace,
): Promise<Page<Row<TeamMember>>> {
  return records.list(workspace, {list: lists.teamsOfMember(member), limit}, deadline);
}

/**
 * Returns the ids of the teams of the member named in a filter; undefined if the filter names no member.
 * Errors: `invalid_parameter`, `insufficient_scope`.
 */
export async function listTeamsOfReference(
  records: Records,
  access: Caller,
  reference: string | undefined,
): Promise<ReadonlySet<Id<'team'>> | undefined> {
  const id = await resolveMember(records, access, reference);
  if (id === undefined) return undefined;
  const memberships = await listMembershipsOf(records, access, id);
  // A list is found by the second half of a member's id, which two ids can share. So the whole id of each row
  // is compared.
  return new Set(memberships.filter(({member}) => member.id === id).map(({team_id}) => team_id));
}
