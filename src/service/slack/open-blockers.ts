import type {Blocker} from '../../domain/blockers/blocker.js';
import type {RequestContext} from '../../domain/core/access.js';
import {limits} from '../../domain/core/limits.js';
import {lists} from '../../domain/core/lists.js';
import {parseWire} from '../../domain/core/resource.js';
import type {Team} from '../../domain/teams/team.js';
import type {Records} from '../../store/core/records.js';

/** Returns the unresolved blockers of these teams. */
export async function listOpenBlockers(
  records: Records,
  {workspace, deadline}: RequestContext,
  teams: readonly Team[],
): Promise<Blocker[]> {
  const all = teams.map(({id}) => lists.openBlockersOfTeam(id));
  const blockers: Blocker[] = [];
  for (const list of await records.listFilled(workspace, all, 0, deadline)) {
    const {rows} = await records.list(workspace, {list, limit: limits.openBlockersPerTeam}, deadline);
    blockers.push(...rows.map(({json}) => parseWire(json)));
  }
  return blockers;
}
