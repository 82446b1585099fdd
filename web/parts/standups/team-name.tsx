import {queryOptions, useQuery} from '@tanstack/react-query';
import {api, dataOf} from '../../api/client.ts';

/** The teams of the workspace, the first hundred: more are found by name. */
export const teamsQuery = queryOptions({
  queryKey: ['listTeams', {limit: 100}],
  queryFn: ({signal}) => dataOf(api.GET('/v1/teams', {params: {query: {limit: 100}}, signal})),
});

/** By slug or id; that itself where the name is not known. */
export function useTeamName(team: string): string {
  const {data} = useQuery(teamsQuery);
  return data?.data.find(({id, slug}) => id === team || slug === team.toLowerCase())?.name ?? team;
}

export function TeamName({team}: {readonly team: string}) {
  return <bdi>{useTeamName(team)}</bdi>;
}
