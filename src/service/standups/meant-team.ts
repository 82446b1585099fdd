import type {Call} from '../../domain/core/access.js';
import {AppError} from '../../domain/core/errors.js';
import {isExpected, type Team, type TeamDirectory} from '../../domain/teams/team.js';
import {listRolesOf} from '../teams/member-places.js';
import type {Records} from '../../store/core/records.js';

/** Neither the channel nor the person says which team a post is for. `teams`: those that they may mean. */
export class TeamUnclear extends AppError {
  constructor(readonly teams: readonly Team[]) {
    super('validation_failed', 'It is not clear which team this is for.');
  }
}

/**
 * The team that a post in a channel is for: the channel's, which its author thereby joins, or else the only
 * one that they post for. Errors: `TeamUnclear`.
 */
export async function findMeantTeam(
  records: Pick<Records, 'list'>,
  call: Call,
  channel: string,
  directory: TeamDirectory,
): Promise<{readonly team: Team; readonly joins: boolean}> {
  const here = directory.byChannel(channel);
  if (here !== undefined) return {team: here, joins: true};
  const roles = await listRolesOf(records, call, call.principal.id);
  const mine = directory.teams.filter(({id}) => {
    const role = roles.get(id);
    return role !== undefined && isExpected({role});
  });
  const [only] = mine;
  if (only === undefined || mine.length > 1) throw new TeamUnclear(mine);
  return {team: only, joins: false};
}
