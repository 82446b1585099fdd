import type {Guard} from '../../domain/commit/commit.js';
import {type Team, type TeamDirectory, createTeamNotFoundError} from '../../domain/teams/team.js';
import type {TeamReader} from '../core/reach.js';
import type {ReachedTeams} from '../core/reached-teams.js';

/**
 * Finds a team by id or slug. Returns it with all current teams, and with those that the caller may see. Errors:
 * `not_found`.
 */
export function createTeamFinder({teams}: {readonly teams: ReachedTeams}) {
  return async function requireTeam(
    access: TeamReader,
    reference: string,
  ): Promise<[Team, TeamDirectory, TeamDirectory]> {
    const all = await teams.all(access);
    const seen = await teams.among(all, access);
    const team = seen.byReference(reference);
    if (team === undefined) throw createTeamNotFoundError(reference, seen, access);
    return [team, all, seen];
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
