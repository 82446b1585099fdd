import {readIdOfWireJson, parseWire, type WireJson, addFieldsToWireJson} from '../../domain/core/resource.js';
import {type Caller, requireScope} from '../../domain/core/access.js';
import type {Id, IdKind} from '../../domain/core/ids.js';
import {limits} from '../../domain/core/limits.js';
import {type ListName, lists, type Page, type PageQuery} from '../../domain/core/lists.js';
import {createNameSearch} from '../../domain/core/name-search.js';
import type {Member, MemberRole} from '../../domain/workspaces/workspace.js';
import type {ServiceContext} from '../core/context.js';
import {findByAddress, findByUniqueName} from '../core/member-references.js';
import {findNamedTeam} from '../core/named-team.js';
import {scanPages} from '../core/paging.js';
import {listOwnTeams} from '../core/memberships.js';

export interface MemberQuery extends PageQuery {
  readonly email?: string | undefined;
  readonly slackUser?: string | undefined;
  readonly role?: MemberRole | undefined;
  /** A search text: beginnings of words in the member's name or e-mail address. */
  readonly name?: string | undefined;
  /** The id or slug of a team: only its members. */
  readonly team?: string | undefined;
  /** True to add each member's teams. */
  readonly withTeams?: boolean | undefined;
}

export function createMemberLister({records, teams}: ServiceContext) {
  async function isInTeam({workspace, deadline}: Caller, team: Id<'team'>, {id}: Member): Promise<boolean> {
    return (await records.findMembership(workspace, team, id, deadline)) !== undefined;
  }

  /**
   * Finds the team of a query. Errors: `team_not_found`; `insufficient_scope`, since only callers who may
   * read teams may see who is in one.
   */
  async function findTeam(access: Caller, reference: string | undefined): Promise<Id<'team'> | undefined> {
    if (reference === undefined) return undefined;
    requireScope(access, 'teams:read');
    return (await findNamedTeam(teams, access, reference))?.id;
  }

  /** Returns the member with a unique name, as a page with one row. */
  async function findByName(
    access: Caller,
    query: Omit<MemberQuery, 'team'>,
    team: Id<'team'> | undefined,
  ): Promise<Page<WireJson<Member>>> {
    const {email, slackUser, role, name, past} = query;
    const found = await (email === undefined
      ? findByUniqueName(records, access, 'slack-user', slackUser ?? '')
      : findByAddress(records, access, email));
    const fits =
      found !== undefined &&
      past === undefined &&
      (slackUser === undefined || found.slack_user_id === slackUser) &&
      (role === undefined || found.role === role) &&
      (name === undefined || createNameSearch(name)(listSearchTexts(found))) &&
      (team === undefined || (await isInTeam(access, team, found)));
    return {rows: fits ? [JSON.stringify(found)] : [], next: undefined};
  }

  /** Adds to each row the teams that the member joined last, with all lists in one round trip. */
  async function addTeamsToMembers(access: Caller, {rows, next}: Page<WireJson<Member>>) {
    const directory = await teams.of(access);
    const added = rows.map(async (json): Promise<WireJson<Member>> => {
      const own = await listOwnTeams(
        records,
        directory,
        access,
        readIdOfWireJson<'member'>(json),
        limits.teamsPerRow,
      );
      return addFieldsToWireJson(json, {teams: own});
    });
    return {rows: await Promise.all(added), next};
  }

  async function listMemberPage(access: Caller, query: Omit<MemberQuery, 'withTeams'>) {
    const {email, slackUser, role, name} = query;
    const team = await findTeam(access, query.team);
    if (email !== undefined || slackUser !== undefined) return findByName(access, query, team);
    const isNamed = name === undefined ? undefined : createNameSearch(name);
    const readFrom =
      <K extends IdKind>(list: ListName<K>) =>
      (page: PageQuery) =>
        records.list(access.workspace, {list, ...page}, access.deadline);
    if (team === undefined) {
      const list = role === undefined ? lists.members() : lists.membersOfRole(role);
      return scanPages(readFrom(list), query, (rows) =>
        rows.map(({json}) => (isNamed?.(listSearchTexts(parseWire(json))) === false ? undefined : json)),
      );
    }
    return scanPages(readFrom(lists.teamMembers(team)), query, async (rows) => {
      const ids = rows.map(({json}) => parseWire(json).member.id);
      const found = await records.findMany(access.workspace, ids, access.deadline);
      // A deleted member's membership is listed until a job removes it.
      return found.map((member) =>
        member === undefined ||
        (role !== undefined && member.role !== role) ||
        isNamed?.(listSearchTexts(member)) === false
          ? undefined
          : JSON.stringify(member),
      );
    });
  }

  return async function listMembers(access: Caller, query: MemberQuery): Promise<Page<WireJson<Member>>> {
    if (query.withTeams !== true) return listMemberPage(access, query);
    requireScope(access, 'teams:read');
    return addTeamsToMembers(access, await listMemberPage(access, query));
  };
}

function listSearchTexts({name, email}: Member): string[] {
  return [name, email ?? ''];
}
