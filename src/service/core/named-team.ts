import {requireNamedTeams, type Team} from '../../domain/teams/team.js';
import type {TeamReader} from './reach.js';
import type {ReachedTeams} from './reached-teams.js';

/** Finds the teams that a query names, each once. The current teams are read only if it names any. */
export async function findNamedTeams(
  teams: ReachedTeams,
  viewer: TeamReader,
  references: readonly string[] | undefined,
): Promise<readonly Team[] | undefined> {
  if (references === undefined) return undefined;
  return requireNamedTeams(await teams.of(viewer), references, viewer);
}

/** Finds the team that a query names, if it names one. */
export async function findNamedTeam(
  teams: ReachedTeams,
  viewer: TeamReader,
  reference: string | undefined,
): Promise<Team | undefined> {
  const found = await findNamedTeams(teams, viewer, reference === undefined ? undefined : [reference]);
  return found?.[0];
}
