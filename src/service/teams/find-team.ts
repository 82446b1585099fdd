import type {Call} from '../../domain/core/access.js';
import type {Guard} from '../../domain/commit/commit.js';
import {type Team, type TeamDirectory, createTeamNotFoundError} from '../../domain/teams/team.js';
import type {Teams} from '../../store/core/directories.js';

/** Finds a team by id or slug; returns it with all current teams. Errors: `not_found`. */
export function createTeamFinder({teams}: {readonly teams: Teams}) {
  return async function requireTeam(
    access: Pick<Call, 'workspace' | 'deadline' | 'scopes'>,
    reference: string,
  ): Promise<[Team, TeamDirectory]> {
    const directory = await teams.fresh(access.workspace, access.deadline);
    const team = directory.byReference(reference);
    if (team === undefined) throw createTeamNotFoundError(reference, directory, access);
    return [team, directory];
  };
}

/** Returns teams below a position, newest first, with their positions in the list. */
export function listTeamsBelowPosition(
  {teams, positions}: TeamDirectory,
  past = Number.POSITIVE_INFINITY,
  isWanted: (team: Team) => boolean = () => true,
): {readonly team: Team; readonly position: number}[] {
  return teams
    .map((team, i) => ({team, position: positions[i] ?? 0}))
    .filter(({team, position}) => position < past && isWanted(team))
    .toReversed();
}

/** Guards that no team has been created, changed or deleted since the teams were read. */
export function createTeamsUnchangedGuard({version}: TeamDirectory): Guard {
  return {check: 'unchanged', collection: 'teams', version};
}
