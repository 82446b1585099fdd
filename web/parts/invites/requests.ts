import {send} from '../../api/send.ts';

export interface OfferedTeam {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
}

/** Adds a member to teams, with the role of a member. */
export async function addToTeams(member: string, teams: readonly OfferedTeam[]): Promise<void> {
  for (const {slug: team} of teams)
    await send('put', '/v1/teams/{team}/members/{member}', {team, member, body: {}});
}
