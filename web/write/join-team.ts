import {api, dataOf} from '../api/client.ts';
import {meQuery, queryClient} from '../api/queries.ts';
import {ownTeamsQuery} from './queries.ts';

/** Adds an owner or admin of the workspace to a team at their own request. */
export async function joinTeam(team: string, member: string): Promise<void> {
  await dataOf(api.PUT('/v1/teams/{team}/members/{member}', {params: {path: {team, member}}, body: {}}));
  await Promise.all([queryClient.invalidateQueries(meQuery), queryClient.invalidateQueries(ownTeamsQuery)]);
}
