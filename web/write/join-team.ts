import {meQuery, queryClient} from '../api/queries.ts';
import {send} from '../api/send.ts';
import {ownTeamsQuery} from './queries.ts';

/** Adds an owner or admin of the workspace to a team at their own request. */
export async function joinTeam(team: string, member: string): Promise<void> {
  await send('put', '/v1/teams/{team}/members/{member}', {team, member, body: {}});
  await Promise.all([queryClient.invalidateQueries(meQuery), queryClient.invalidateQueries(ownTeamsQuery)]);
}
