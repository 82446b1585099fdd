import {queryOptions, useQuery} from '@tanstack/react-query';
import {meQuery} from '../api/queries.ts';
import {read, readRows} from '../api/read.ts';
import type {Event} from '../api/schema.ts';
import {mayUse} from '../parts/rights.ts';
import {teamsQuery} from '../parts/standups/team-name.tsx';
import {isObject} from './filter.ts';
import type {NameLookup} from './names.ts';

/** Maximum number of member pages (100 rows) read for names. Other actors are shown by their ids. */
const mostPages = 5;

const peopleQuery = queryOptions({
  queryKey: ['listMembers', {all: true}],
  async queryFn({signal}) {
    const {rows} = await readRows('/v1/members', {limit: 100}, signal, {mostPages});
    return new Map(rows.map(({id, name}) => [id, name]));
  },
});

/** Service accounts by id, to show their names. A session may list them only if it was confirmed recently. */
const programsQuery = queryOptions({
  queryKey: ['listServiceAccounts', {names: true}],
  async queryFn({signal}) {
    const {data} = await read('/v1/service-accounts', {limit: 100}, signal);
    return new Map(data.map(({id, name}) => [id, name]));
  },
});

/** Finds names for the ids in events; an event's own data may also contain names of members. */
export function useEventNames(events: readonly Event[]): NameLookup {
  const me = useQuery(meQuery).data;
  const mayList = mayUse(me, 'members:read');
  const {data: people} = useQuery({...peopleQuery, enabled: mayList});
  const mayListPrograms = mayUse(me, 'tokens:manage');
  const {data: programs} = useQuery({...programsQuery, enabled: mayListPrograms});
  const {data: teams} = useQuery(teamsQuery);
  const mentioned = new Map(events.flatMap(findMemberNames));
  return {
    of: (id) =>
      (id === me?.principal.id ? me.principal.name : undefined) ??
      people?.get(id) ??
      programs?.get(id) ??
      mentioned.get(id),
    team: (team) => teams?.data.find(({id, slug}) => id === team || slug === team)?.name,
  };
}

function findMemberNames({data}: Event): [string, string][] {
  if (data === null) return [];
  return [data, data['author'], data['member'], data['holder']].flatMap((one): [string, string][] => {
    if (!isObject(one)) return [];
    const {id, name} = one;
    return typeof id === 'string' && typeof name === 'string' ? [[id, name]] : [];
  });
}
