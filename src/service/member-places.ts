import type {Call} from '../domain/access.js';
import {limits} from '../domain/limits.js';
import {lists} from '../domain/lists.js';
import {completePlace, type TeamMember} from '../domain/team.js';
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
