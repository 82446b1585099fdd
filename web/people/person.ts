import {useQueries, useQuery} from '@tanstack/react-query';
import {meQuery} from '../api/queries.ts';
import {mayUse} from '../parts/rights.ts';
import {type FoundPerson, assemblePersonData, listTeams, mostTeams} from './found-person.ts';
import {lastStandupQuery, memberQuery, teamsOfQuery, todayQuery} from './queries.ts';

/** Returns a person by id or `me`, with all that the session may read about them. */
export function usePerson(reference: string): FoundPerson {
  const {data: me} = useQuery(meQuery);
  const id = reference === 'me' ? (me?.principal.id ?? '') : reference;
  const isMe = id === me?.principal.id;
  const mayRead = (scope: string): boolean => mayUse(me, scope);
  const isReady = me !== undefined;
  const member = useQuery({...memberQuery(id), enabled: isReady && mayRead('members:read')});
  const last = useQuery({...lastStandupQuery(id), enabled: isReady && !isMe && mayRead('standups:read')});
  const listed = useQuery({...teamsOfQuery(id), enabled: isReady && !isMe && mayRead('teams:read')});
  const teams = listTeams(isMe ? me?.teams : undefined, listed.data?.data);
  const asked = mayRead('standups:read') ? teams.slice(0, mostTeams) : [];
  const today = useQueries({queries: asked.map(({slug}) => todayQuery(slug))});
  if (me === undefined) return {kind: 'loading'};
  return assemblePersonData({id, me, member, last, listed, today});
}
