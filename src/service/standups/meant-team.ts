import type {Call} from '../../domain/core/access.js';
import {AppError} from '../../domain/core/errors.js';
import {isExpected, type Team, type TeamDirectory} from '../../domain/teams/team.js';
import type {Records} from '../../store/core/records.js';
import {listRolesOf} from '../core/memberships.js';

/** Thrown if a post's team is not clear from its channel. `teams`: those to choose from. */
export class TeamUnclear extends AppError {
  readonly teams: readonly Team[];

  constructor(teams: readonly Team[]) {
    super('validation_failed', 'It is not clear which team this is for.');
    this.teams = teams;
  }
}

/**
 * Finds the team for which a text in a channel is posted: the channel's team, which the author joins. In a
 * channel without a team the author is asked, even if they have only one team, since people outside the
 * channel would read the post. Errors: `TeamUnclear`.
 */
export async function findTeamForPost(
  records: Records,
  call: Call,
  channel: string,
  directory: TeamDirectory,
): Promise<Team> {
  const here = directory.byChannel(channel);
  if (here !== undefined) return here;
  const roles = await listRolesOf(records, call, call.principal.id);
  const mine = directory.teams.filter(({id}) => {
    const role = roles.get(id);
    return role !== undefined && isExpected({role});
  });
  throw new TeamUnclear(mine);
}
