import type {Viewer} from '../../domain/core/access.js';
import {requireNamedTeam, type Team} from '../../domain/teams/team.js';
import type {Teams} from '../../store/core/directories.js';

/** Finds the team that a query names. The current teams are read only if the query names one. */
export async function findNamedTeam(
  teams: Teams,
  viewer: Viewer,
  reference: string | undefined,
): Promise<Team | undefined> {
  if (reference === undefined) return undefined;
  return requireNamedTeam(await teams.fresh(viewer.workspace, viewer.deadline), reference, viewer);
}
