import {useQuery} from '@tanstack/react-query';
import {readQuery} from '../../api/read.ts';

/** The first hundred teams of the workspace; people find other teams by searching for a name. */
export const teamsQuery = readQuery('listTeams', '/v1/teams', {limit: 100});

/** Returns the name of a team given by slug or id, or the given text when the name is not known. */
export function useTeamName(team: string): string {
  const {data} = useQuery(teamsQuery);
  return data?.data.find(({id, slug}) => id === team || slug === team.toLowerCase())?.name ?? team;
}

export function TeamName({team}: {readonly team: string}) {
  return <bdi>{useTeamName(team)}</bdi>;
}
