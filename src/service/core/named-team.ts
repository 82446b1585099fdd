import type {Viewer} from '../../domain/core/access.js';
import {requireNamedTeams, type Team} from '../../domain/teams/team.js';
import type {Teams} from '../../store/core/directories.js';

/** Finds the teams that a query names, each once. The current teams are read only if it names any. */
export async function findNamedTeams(
  teams: Teams,
  viewer: Viewer,
  references: readonly string[] | undefined,
): Promise<readonly Team[] | undefined> {
  if (references === undefined) return undefined;
  return requireNamedTeams(await teams.fresh(viewer.workspace, viewer.deadline), references, viewer);
}

/** Finds the team that a query names, if it names one. */
export async function findNamedTeam(
  teams: Teams,
  viewer: Viewer,
  reference: string | undefined,
): Promise<Team | undefined> {
  const found = await findNamedTeams(teams, viewer, reference === undefined ? undefined : [reference]);
  return found?.[0];
}
