import {api, dataOf} from '../api/client.ts';
import {meQuery, queryClient} from '../api/queries.ts';
import {ownTeamsQuery} from './queries.ts';

/** People who run the workspace give themselves a place. */
export async function joinTeam(team: string, member: string): Promise<void> {
  await dataOf(api.PUT('/v1/teams/{team}/members/{member}', {params: {path: {team, member}}, body: {}}));
  await Promise.all([queryClient.invalidateQueries(meQuery), queryClient.invalidateQueries(ownTeamsQuery)]);
}
