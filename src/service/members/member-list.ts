import {idOfWireJson, parseWire, type WireJson, addWireMembers} from '../../domain/core/resource.js';
import {type Caller, requireScope} from '../../domain/core/access.js';
import type {Id, IdKind} from '../../domain/core/ids.js';
import {limits} from '../../domain/core/limits.js';
import {type ListName, lists, type Page, type PageQuery} from '../../domain/core/lists.js';
import {createNameSearch} from '../../domain/core/name-search.js';
import type {Member, MemberRole} from '../../domain/workspaces/workspace.js';
import type {Teams} from '../../store/core/directories.js';
import type {Records} from '../../store/core/records.js';
import {findNamedTeam} from '../core/named-team.js';
import {scanPages} from '../core/paging.js';
import {listOwnTeams} from '../teams/member-teams.js';
import {findByAddress, findByUniqueName} from './member-records.js';

export interface MemberQuery extends PageQuery {
  readonly email?: string | undefined;
  readonly slackUser?: string | undefined;
  readonly role?: MemberRole | undefined;
  /** Prefixes of words of their name, or of their e-mail address. */
  readonly name?: string | undefined;
  /** Id or slug of a team that they are in. */
  readonly team?: string | undefined;
  /** Adds to each member the teams that they are in. */
  readonly withTeams?: boolean | undefined;
}

export interface ListMembersParts {
  readonly records: Records;
  readonly teams: Pick<Teams, 'fresh'>;
}

/** See `MemberService.listMembers`. */
export function createListMembers({records, teams}: ListMembersParts) {
  async function isInTeam({workspace, deadline}: Caller, team: Id<'team'>, {id}: Member): Promise<boolean> {
    return (await records.findMembership(workspace, team, id, deadline)) !== undefined;
  }

  /** Errors: `team_not_found`, `insufficient_scope`: only a caller who may read teams sees who is in one. */
  async function findTeam(access: Caller, reference: string | undefined): Promise<Id<'team'> | undefined> {
    if (reference === undefined) return undefined;
    requireScope(access, 'teams:read');
    return (await findNamedTeam(teams, access, reference))?.id;
  }

  /** The member with a unique name, as a page. */
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
      (name === undefined || createNameSearch(name)(namesOf(found))) &&
      (team === undefined || (await isInTeam(access, team, found)));
    return {rows: fits ? [JSON.stringify(found)] : [], next: undefined};
  }

  /** Adds the latest teams to each row: pipelined reads of one bounded list per row. */
  async function addTeams(access: Caller, {rows, next}: Page<WireJson<Member>>) {
    const directory = await teams.fresh(access.workspace, access.deadline);
    const added = rows.map(async (json): Promise<WireJson<Member>> => {
      const own = await listOwnTeams(
        records,
        directory,
        access,
        idOfWireJson<'member'>(json),
        limits.teamsPerRow,
      );
      return addWireMembers(json, {teams: own});
    });
    return {rows: await Promise.all(added), next};
  }

  async function listPage(
    access: Caller,
    query: Omit<MemberQuery, 'withTeams'>,
  ): Promise<Page<WireJson<Member>>> {
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
        rows.map(({json}) => (isNamed?.(namesOf(parseWire(json))) === false ? undefined : json)),
      );
    }
    return scanPages(readFrom(lists.teamMembers(team)), query, async (rows) => {
      const ids = rows.map(({json}) => parseWire(json).member.id);
      const found = await records.findMany(access.workspace, ids, access.deadline);
      // A membership outlives its member for a moment.
      return found.map((member) =>
        member === undefined ||
        (role !== undefined && member.role !== role) ||
        isNamed?.(namesOf(member)) === false
          ? undefined
          : JSON.stringify(member),
      );
    });
  }

  return async function listMembers(access: Caller, query: MemberQuery): Promise<Page<WireJson<Member>>> {
    if (query.withTeams !== true) return listPage(access, query);
    requireScope(access, 'teams:read');
    return addTeams(access, await listPage(access, query));
  };
}

/** The texts by which a member is searched. */
function namesOf({name, email}: Member): string[] {
  return [name, email ?? ''];
}
