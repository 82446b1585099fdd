import type {Access, Call} from '../domain/access.js';
import {limits} from '../domain/limits.js';
import {lists} from '../domain/lists.js';
import {completePlace, type TeamMember} from '../domain/team.js';
import {createMemberReferences} from './member-references.js';
import type {Records} from './stores.js';

/**
 * The places of a member in all their teams, the latest first: there are no more than a workspace has
 * teams.
 */
export async function listPlacesOf(
  records: Pick<Records, 'list'>,
  {workspace, deadline}: Pick<Call, 'workspace' | 'deadline'>,
  member: string,
): Promise<TeamMember[]> {
  const query = {list: lists.teamsOfMember(member), limit: limits.teamsPerWorkspace};
  const {rows} = await records.list(workspace, query, deadline);
  return rows.map(({json}) => completePlace(JSON.parse(json) as TeamMember));
}

/**
 * Ids of the teams that somebody is in, who is named as in a filter; undefined when nobody is named. Errors:
 * `invalid_parameter`, `insufficient_scope`.
 */
export type ListTeamsOf = (
  access: Access & {deadline: number},
  member: string | undefined,
) => Promise<ReadonlySet<string> | undefined>;

export function createListTeamsOf({
  records,
}: {
  readonly records: Pick<Records, 'find' | 'findByDrawn' | 'findName' | 'list'>;
}): ListTeamsOf {
  const references = createMemberReferences({records});
  return async function listTeamsOf(access, member) {
    const id = await references.resolve(access, member, 'member');
    if (id === undefined) return undefined;
    const places = await listPlacesOf(records, access, id);
    return new Set(places.map(({team_id: team}) => team));
  };
}
